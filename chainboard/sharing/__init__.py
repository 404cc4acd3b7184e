"""What the processes of one database tell each other: the writer its gateways, and a gateway the writer."""
