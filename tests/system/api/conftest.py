"""The fixtures of tests/api, for tests that need a server next to the gateways."""

from tests.api.conftest import page as page
from tests.api.conftest import play as play
