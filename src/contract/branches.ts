// Branches that the hub makes for itself. Without a library: the dashboard's bundle has it, too.

/** Where merged trees are checked. Nobody works there. */
export const INTEGRATION = 'toryo/integration-'
