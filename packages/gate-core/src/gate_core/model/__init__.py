"""The words of the product as types. Nothing here decides anything; every other room imports from here."""
