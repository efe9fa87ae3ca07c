"""Scripts the plugin's hooks start; `spool` is also what `gate-claude-hook install` puts into settings."""
