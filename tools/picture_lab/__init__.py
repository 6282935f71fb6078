"""Renders independent picture sets of the table (FORMATS: a picture data set) to judge the recogniser with."""
