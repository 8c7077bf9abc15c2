// Written by `npm run gen` from the files in src/engines. Do not edit.
import type { KnownEngine } from './known-engines.ts'

/** The one to prefer first. */
export const ENGINE_IDS = ["claude","codex","gemini","opencode","cursor","copilot","qwen"] as const

export const KNOWN_ENGINES: readonly KnownEngine[] = [
  {
    "id": "claude",
    "label": "Claude Code",
    "rank": 10,
    "programs": [
      "claude"
    ],
    "version": [
      "claude",
      "--version"
    ],
    "install": {
      "npm": "@anthropic-ai/claude-code"
    },
    "signIn": {
      "shell": "claude",
      "type": "/login",
      "variable": "ANTHROPIC_API_KEY"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": true,
      "tellsCost": true
    },
    "projectConfig": [
      ".claude",
      "!.claude/worktrees",
      ".mcp.json"
    ],
    "registration": {
      "variable": "CLAUDE_CONFIG_DIR",
      "folder": "",
      "files": [
        ".claude.json"
      ],
      "format": "json",
      "holder": "mcpServers",
      "entry": {
        "command": "{runtime}",
        "args": [
          "{bridge}"
        ],
        "env": {}
      },
      "makesFile": true,
      "lockSuffix": ".lock",
      "whenStarted": "off"
    }
  },
  {
    "id": "codex",
    "label": "Codex",
    "rank": 20,
    "programs": [
      "codex"
    ],
    "version": [
      "codex",
      "--version"
    ],
    "install": {
      "npm": "@openai/codex"
    },
    "signIn": {
      "shell": "codex login",
      "variable": "CODEX_API_KEY"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": true,
      "tellsCost": false
    },
    "projectConfig": [
      ".codex",
      ".agents"
    ],
    "registration": {
      "variable": "CODEX_HOME",
      "folder": ".codex",
      "files": [
        "config.toml"
      ],
      "format": "toml",
      "holder": "mcp_servers",
      "entry": {
        "command": "{runtime}",
        "args": [
          "{bridge}"
        ]
      },
      "makesFile": true,
      "whenStarted": "off"
    }
  },
  {
    "id": "gemini",
    "label": "Gemini CLI",
    "rank": 30,
    "programs": [
      "gemini"
    ],
    "version": [
      "gemini",
      "--version"
    ],
    "install": {
      "npm": "@google/gemini-cli"
    },
    "signIn": {
      "shell": "gemini",
      "type": "/auth",
      "variable": "GEMINI_API_KEY"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": true,
      "tellsCost": false
    },
    "projectConfig": [
      ".gemini",
      ".agents",
      ".env"
    ],
    "registration": {
      "variable": "GEMINI_CLI_HOME",
      "folder": "",
      "files": [
        ".gemini/settings.json"
      ],
      "format": "json",
      "holder": "mcpServers",
      "entry": {
        "command": "{runtime}",
        "args": [
          "{bridge}"
        ]
      },
      "makesFile": true,
      "whenStarted": "left-out"
    }
  },
  {
    "id": "opencode",
    "label": "opencode",
    "rank": 40,
    "programs": [
      "opencode"
    ],
    "version": [
      "opencode",
      "--version"
    ],
    "install": {
      "npm": "opencode-ai"
    },
    "signIn": {
      "shell": "opencode auth login",
      "variable": "OPENCODE_API_KEY"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": false,
      "tellsCost": true
    },
    "projectConfig": [
      "opencode.json",
      "opencode.jsonc",
      "tui.json",
      "tui.jsonc",
      ".opencode",
      ".agents",
      ".claude"
    ],
    "registration": {
      "variable": "XDG_CONFIG_HOME",
      "folder": ".config",
      "files": [
        "opencode/opencode.json",
        "opencode/opencode.jsonc"
      ],
      "format": "json",
      "holder": "mcp",
      "entry": {
        "type": "local",
        "enabled": true,
        "command": [
          "{runtime}",
          "{bridge}"
        ]
      },
      "makesFile": false,
      "whenStarted": "off"
    }
  },
  {
    "id": "cursor",
    "label": "Cursor",
    "rank": 50,
    "programs": [
      "cursor-agent"
    ],
    "version": [
      "cursor-agent",
      "--version"
    ],
    "install": {
      "shell": "curl https://cursor.com/install -fsS | bash"
    },
    "signIn": {
      "shell": "cursor-agent login",
      "variable": "CURSOR_API_KEY"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": true,
      "tellsCost": false
    },
    "projectConfig": [
      ".cursor"
    ],
    "registration": {
      "folder": ".cursor",
      "files": [
        "mcp.json"
      ],
      "format": "json",
      "holder": "mcpServers",
      "entry": {
        "command": "{runtime}",
        "args": [
          "{bridge}"
        ]
      },
      "makesFile": false,
      "whenStarted": "left-out"
    }
  },
  {
    "id": "copilot",
    "label": "GitHub Copilot CLI",
    "rank": 60,
    "programs": [
      "copilot"
    ],
    "version": [
      "copilot",
      "--version"
    ],
    "install": {
      "npm": "@github/copilot"
    },
    "signIn": {
      "shell": "copilot",
      "type": "/login",
      "variable": "GH_TOKEN"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": true,
      "tellsCost": false
    },
    "projectConfig": [
      ".github/hooks",
      ".github/copilot",
      ".github/extensions",
      ".github/agents",
      ".github/skills",
      ".github/mcp.json",
      ".github/lsp.json",
      ".copilot",
      ".agents",
      ".mcp.json",
      ".vscode/mcp.json"
    ],
    "registration": {
      "variable": "COPILOT_HOME",
      "folder": ".copilot",
      "files": [
        "mcp-config.json"
      ],
      "format": "json",
      "holder": "mcpServers",
      "entry": {
        "type": "local",
        "command": "{runtime}",
        "args": [
          "{bridge}"
        ],
        "tools": [
          "*"
        ]
      },
      "makesFile": false,
      "whenStarted": "off"
    }
  },
  {
    "id": "qwen",
    "label": "Qwen Code",
    "rank": 70,
    "programs": [
      "qwen"
    ],
    "version": [
      "qwen",
      "--version"
    ],
    "install": {
      "npm": "@qwen-code/qwen-code"
    },
    "signIn": {
      "shell": "qwen",
      "type": "/auth",
      "variable": "OPENAI_API_KEY"
    },
    "capabilities": {
      "mcp": true,
      "resume": true,
      "tellsEnd": true,
      "tellsCost": false
    },
    "projectConfig": [
      ".qwen",
      ".env"
    ],
    "registration": {
      "variable": "QWEN_HOME",
      "folder": ".qwen",
      "files": [
        "settings.json"
      ],
      "format": "json",
      "holder": "mcpServers",
      "entry": {
        "command": "{runtime}",
        "args": [
          "{bridge}"
        ]
      },
      "makesFile": false,
      "whenStarted": "idle"
    }
  }
]
