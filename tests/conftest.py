"""Settings of all tests."""

from hypothesis import settings

# A loaded machine must not fail a property: no test depends on time.
settings.register_profile("icelight", deadline=None)
settings.load_profile("icelight")
