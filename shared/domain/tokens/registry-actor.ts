// Without other modules: the console needs these names at its start, and nothing else of them.

/** Name of the registry itself, which submits updates and recalls versions. */
export const registryActor = 'registry';

/** Beginning of the names of policy rules as deciders. */
export const ruleActorPrefix = 'policy:';
