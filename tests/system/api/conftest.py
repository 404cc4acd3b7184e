"""Shares the fixtures of tests/api with the tests in this folder. These tests also start servers of
their own."""

from tests.api.conftest import page as page
from tests.api.conftest import play as play
