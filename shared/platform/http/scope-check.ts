import type { Route } from '../../api/route.ts';
import { RegistryError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/tokens/actor.ts';

const describeScopes = ({ label, scopes }: Caller): string => {
  const whose = label === null ? 'this token' : `the token of ${label}`;
  return `${whose} has ${scopes.length === 0 ? 'none' : scopes.join(' and ')}`;
};

/**
 * Throws if the caller's token lacks the scope of a route.
 * @throws {RegistryError} `scope_missing`
 */
export const checkScope = ({ scope, otherScope, ownScope }: Route, caller: Caller): void => {
  if (scope === undefined || scope === 'any') return;
  const wanted = [scope, ...(otherScope ? [otherScope] : [])];
  const enough = [...wanted, ...(ownScope ? [ownScope] : [])];
  if (enough.some((one) => caller.scopes.includes(one))) return;
  throw new RegistryError(
    'scope_missing',
    `This needs a token with the scope ${wanted.join(' or ')}, and ${describeScopes(caller)}.`,
  );
};
