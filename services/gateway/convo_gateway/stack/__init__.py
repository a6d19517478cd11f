"""The one-machine stack: embedded NATS and Postgres and every service, under one supervisor."""
