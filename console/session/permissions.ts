import type { Scope } from '../../shared/domain/tokens/scope.ts';

/** Returns what the scopes of a token permit, in words: `may submit and review`. */
export const describePermissions = (scopes: readonly Scope[]): string =>
  scopes.length === 0 ? 'may read' : `may ${scopes.join(' and ')}`;
