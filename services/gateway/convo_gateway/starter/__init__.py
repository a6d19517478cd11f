"""The starter catalog: YAML files that ``convo_gateway.catalog.starter`` reads."""
