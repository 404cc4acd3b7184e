"""The fixtures of tests/api. Tests in this folder use them and also start servers of their own."""

from tests.api.conftest import page as page
from tests.api.conftest import play as play
