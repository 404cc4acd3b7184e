"""The playground of tests/api, for gateways that need a server beside them."""

from tests.api.conftest import page as page
from tests.api.conftest import play as play
