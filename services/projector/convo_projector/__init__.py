"""The projector: reads the log in order, folds it into the read model, archives every event, and repairs."""
