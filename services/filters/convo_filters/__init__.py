"""The filters: mechanical rules and the diversity check. No paid calls, no state of their own."""
