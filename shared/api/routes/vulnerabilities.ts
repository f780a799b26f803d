/** Routes of vulnerabilities and risk acceptances. */
import type { Route } from '../route.ts';
import { AcceptanceRequest, AcceptanceWithdrawal } from '../schemas/acceptance.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { VulnerabilitiesQuery, VulnerabilityQuery } from '../schemas/vulnerabilities-query.ts';
import { findingSettings } from './common-access.ts';

export const listVulnerabilities = {
  id: 'list-vulnerabilities',
  method: 'GET',
  path: '/api/v1/vulnerabilities',
  summary: 'List vulnerabilities of package versions, the most severe first',
  access: { reviews: ['Query'] },
  query: VulnerabilitiesQuery,
  success: { status: 200, answer: 'VulnerabilityPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showVulnerability = {
  id: 'show-vulnerability',
  method: 'GET',
  path: '/api/v1/vulnerabilities/{id}',
  summary: 'Show a vulnerability and its affected versions',
  access: { reviews: ['GetItem', 'Query'] },
  query: VulnerabilityQuery,
  success: { status: 200, answer: 'VulnerabilityDetail', header: 'Link' },
  errors: ['vulnerability_not_found'],
} as const satisfies Route;

export const acceptVulnerability = {
  id: 'accept-vulnerability',
  method: 'POST',
  path: '/api/v1/vulnerabilities/{id}/acceptances',
  summary: 'Accept the risk of a vulnerability until a time',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    packages: ['Query'],
    reviews: ['Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: findingSettings,
  },
  query: NoQuery,
  body: { schema: AcceptanceRequest, optional: false },
  success: { status: 201, answer: 'AcceptanceAnswer' },
  errors: ['package_not_found', 'too_many_acceptances', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const withdrawAcceptance = {
  id: 'withdraw-acceptance',
  method: 'DELETE',
  path: '/api/v1/vulnerabilities/{id}/acceptances/{number}',
  summary: 'Withdraw a risk acceptance',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: findingSettings,
  },
  query: NoQuery,
  body: { schema: AcceptanceWithdrawal, optional: false },
  success: { status: 200, answer: 'AcceptanceAnswer' },
  errors: ['acceptance_not_found', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;
