#!/usr/bin/env node
// The name that project-management clients start: `toryo mcp` with the toolsets of project management.
'use strict'

process.argv.splice(2, 0, 'mcp', '--toolsets', 'runner,agent,projects,legacy')
require('./toryo.js')
