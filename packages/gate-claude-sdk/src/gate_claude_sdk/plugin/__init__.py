"""The plugin for the Claude Code CLI, shipped as files; `gate-claude-hook plugin` prints where it lies."""
