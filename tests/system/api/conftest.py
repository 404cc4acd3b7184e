"""Makes the fixtures of tests/api available to the tests in this folder, which also start their own
servers."""

from tests.api.conftest import page as page
from tests.api.conftest import play as play
