/** Routes of the registry itself: its version, the caller, events and statistics. */
import type { Route } from '../route.ts';
import { EventsQuery } from '../schemas/events-query.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { StatisticsQuery } from '../schemas/statistics-query.ts';

export const showService = {
  id: 'show-service',
  method: 'GET',
  path: '/',
  summary: 'Show the name, version, authentication and freeze of the service',
  access: { tokens: ['GetSecretValue'], reviews: ['GetItem'], settings: ['requireTokens'] },
  query: NoQuery,
  leadsBrowsers: true,
  success: { status: 200, answer: 'ServiceInfo' },
  errors: [],
} as const satisfies Route;

export const showCaller = {
  id: 'show-caller',
  method: 'GET',
  path: '/api/v1/whoami',
  summary: 'Show the label and scopes of the token',
  scope: 'any',
  isRepeatable: true,
  access: { tokens: ['GetSecretValue'], settings: ['requireTokens'] },
  query: NoQuery,
  success: { status: 200, answer: 'Caller' },
  errors: [],
} as const satisfies Route;

export const listEvents = {
  id: 'list-events',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List all events, in one order without gaps',
  access: { events: ['Query', 'GetItem'] },
  query: EventsQuery,
  success: { status: 200, answer: 'EventPage' },
  errors: [],
} as const satisfies Route;

export const showStatistics = {
  id: 'show-statistics',
  method: 'GET',
  path: '/api/v1/statistics',
  summary: 'Show the activity of each day',
  access: { events: ['Query'] },
  query: StatisticsQuery,
  success: { status: 200, answer: 'Statistics' },
  errors: [],
} as const satisfies Route;
