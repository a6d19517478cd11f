"""Formats of exports, one file each; ``convo_gateway.exports.format`` says what such a file has."""
