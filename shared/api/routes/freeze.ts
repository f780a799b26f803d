/** Routes of the freeze. */
import type { Route } from '../route.ts';
import { FreezeRequest } from '../schemas/freeze.ts';
import { NoQuery } from '../schemas/no-query.ts';

export const freezeRegistry = {
  id: 'freeze-registry',
  method: 'POST',
  path: '/api/v1/freeze',
  summary: 'Freeze the registry: refuse versions published after a time',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: FreezeRequest, optional: false },
  success: { status: 200, answer: 'FreezeStatus' },
  errors: ['write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const liftFreeze = {
  id: 'lift-freeze',
  method: 'DELETE',
  path: '/api/v1/freeze',
  summary: 'Lift the freeze of the registry',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  success: { status: 200, answer: 'FreezeStatus' },
  errors: ['not_frozen', 'decision_conflict', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const showFreeze = {
  id: 'show-freeze',
  method: 'GET',
  path: '/api/v1/freeze',
  summary: 'Show whether the registry is frozen',
  access: { reviews: ['GetItem'] },
  query: NoQuery,
  success: { status: 200, answer: 'FreezeStatus' },
  errors: [],
} as const satisfies Route;
