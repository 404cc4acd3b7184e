"""The follower: from the chain into the store, and from events to boards."""
