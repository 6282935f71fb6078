"""The only place that talks to cameras, LEDs and buttons; every device has a simulator twin."""
