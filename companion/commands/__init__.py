"""Sub-commands of `companion`, one module each: `HELP`, `add_arguments(parser)` and `run(args) -> exit status`."""
