import * as z from 'zod';
import { jobPrefix } from '../shared/domain/identity/job-label.ts';
import type { TrustedIssuer, TrustedIssuers } from '../shared/domain/identity/trusted-issuer.ts';
import { scopes } from '../shared/domain/tokens/scope.ts';
import { isObject } from '../shared/util/json.ts';
import type { Settings } from './config.ts';
import { readJsonFile } from './read-project-file.ts';
import { issuerUrl } from './setting-kinds.ts';
import { SettingsError } from './settings-error.ts';

/** The CI systems: default issuer, claim with the label, and claims that identify a project or its owner for ever. */
const ciSystems = {
  // Source: "OpenID Connect reference" of GitHub's documentation. A name can be taken by somebody else, an id cannot.
  github: {
    issuer: 'https://token.actions.githubusercontent.com',
    label: 'repository',
    ids: ['repository_id', 'repository_owner_id'],
  },
  // Source: "OpenID Connect (OIDC) authentication using ID tokens" of GitLab's documentation.
  gitlab: {
    issuer: 'https://gitlab.com',
    label: 'project_path',
    ids: ['project_id', 'namespace_id'],
  },
} as const;

const valueRule = 'must be a text, or a list of texts';
const Value = z
  .union([z.string(), z.array(z.string())], { error: valueRule })
  .transform((value) => (typeof value === 'string' ? [value] : value))
  .refine((values) => values.length > 0 && !values.includes(''), { error: valueRule });

const Conditions = z
  .unknown()
  // A record would leave out this key, and the rule would have one condition less.
  .refine((value) => !(isObject(value) && Object.hasOwn(value, '__proto__')), {
    error: 'must not have a claim __proto__',
  })
  .pipe(z.record(z.string().min(1), Value));

const ScopeList = z
  .array(z.enum(scopes, { error: `must be ${scopes.join(' or ')}` }))
  .min(1, { error: 'must have a scope' });

const Person = z.strictObject({ if: Conditions.prefault({}), scopes: ScopeList });

const Job = z
  .strictObject({
    system: z.enum(['github', 'gitlab'], { error: 'must be github or gitlab' }),
    issuer: issuerUrl.optional(),
    if: Conditions,
  })
  .superRefine(({ system, if: conditions }, context) => {
    const { ids } = ciSystems[system];
    if (ids.some((id) => Object.hasOwn(conditions, id))) return;
    const message = `must have ${ids.join(' or ')}: otherwise each project of this CI system could submit`;
    context.addIssue({ code: 'custom', path: ['if'], message });
  });

/** The rules from claims to labels and scopes. */
const IdentityRules = z.strictObject({
  people: z
    .strictObject({ label: z.string().min(1).default('email'), rules: z.array(Person).default([]) })
    .prefault({}),
  jobs: z.array(Job).default([]),
});
type IdentityRules = z.output<typeof IdentityRules>;

/** Returns the error of a file, with one line for each fault. */
const toSettingsError = (path: string, faults: readonly string[]): SettingsError =>
  new SettingsError(faults.map((fault) => `identityRules: ${path}: ${fault}`).join('\n'));

const readRules = (path: string): IdentityRules => {
  const parsed = IdentityRules.safeParse(readJsonFile('identityRules', path));
  if (parsed.success) return parsed.data;
  throw toSettingsError(
    path,
    parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()),
  );
};

const groupJobs = ({ jobs }: IdentityRules) => [
  ...Map.groupBy(jobs, ({ system, issuer }) => issuer ?? ciSystems[system].issuer),
];

/** Returns the issuers of CI jobs. With several issuers, labels have the host: two can have a repository of one name. */
const listJobIssuers = (rules: IdentityRules, audience: string): TrustedIssuer[] =>
  groupJobs(rules).map(([issuer, jobs], _, all) => ({
    ...{ issuer, holders: 'jobs', audiences: [audience] },
    label: {
      claim: ciSystems[jobs[0]?.system ?? 'github'].label,
      prefix: all.length > 1 ? `${jobPrefix}${new URL(issuer).host}/` : jobPrefix,
    },
    rules: jobs.map(({ if: conditions }) => ({ if: conditions, scopes: ['submit'] })),
  }));

const findFaults = (
  { oidcIssuer, oidcAudience, environment }: Settings,
  { people, jobs }: IdentityRules,
): string[] => {
  const groups = groupJobs({ people, jobs });
  const issuers = groups.map(([issuer]) => issuer);
  const mixed = groups.filter(([, some]) => new Set(some.map(({ system }) => system)).size > 1);
  return [
    ...(oidcIssuer !== undefined && people.rules.length === 0
      ? ['people.rules must have a rule: without one, nobody who signs in has a scope']
      : []),
    ...(jobs.length > 0 && oidcAudience === undefined
      ? ['jobs need the setting oidcAudience, the audience of their ID tokens']
      : []),
    ...(jobs.length === 0 && oidcIssuer === undefined && oidcAudience !== undefined
      ? ['jobs must have a job, or oidcIssuer be set: otherwise nothing uses oidcAudience']
      : []),
    ...(oidcIssuer !== undefined && issuers.includes(oidcIssuer)
      ? ['jobs must have another issuer than oidcIssuer']
      : []),
    ...mixed.map(([issuer]) => `jobs of ${issuer} must have one system`),
    ...issuers
      .filter((issuer) => environment === 'production' && /^http:/i.test(issuer))
      .map((issuer) => `jobs must have an https issuer in production, not ${issuer}`),
  ];
};

/**
 * Returns the trusted issuers of the settings and of their file of rules.
 * @throws {SettingsError} with one line for each error
 */
export const readIdentityRules = (settings: Settings): TrustedIssuers => {
  const { identityRules, oidcIssuer, oidcClientId, oidcAudience } = settings;
  const rules = readRules(identityRules);
  const faults = findFaults(settings, rules);
  if (faults.length > 0) throw toSettingsError(identityRules, faults);
  const signIn =
    oidcIssuer === undefined || oidcClientId === undefined
      ? null
      : { issuer: oidcIssuer, client_id: oidcClientId };
  const jobAudience = (rules.jobs.length > 0 && oidcAudience) || null;
  const listed = oidcAudience === undefined ? [] : [oidcAudience];
  const people = signIn && {
    ...{ issuer: signIn.issuer, holders: 'people' as const },
    audiences: [signIn.client_id, ...listed],
    label: { claim: rules.people.label, prefix: '' },
    rules: rules.people.rules,
  };
  const jobs = jobAudience === null ? [] : listJobIssuers(rules, jobAudience);
  return { signIn, jobAudience, issuers: [...(people ? [people] : []), ...jobs] };
};
