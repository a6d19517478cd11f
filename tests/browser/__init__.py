"""Browser tests: a package, so that Chromium ends with them; its event loop would stop the tests that follow."""
