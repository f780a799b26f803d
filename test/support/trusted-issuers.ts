import type { TrustedIssuers } from '../../shared/domain/identity/trusted-issuer.ts';

export const clientId = 'package-registry';
export const jobAudience = 'https://registry.example.com';

/**
 * Returns the issuers of a registry. Everybody who signs in may submit, the group `security` may review, and jobs of one repository
 * may submit.
 */
export const trustIssuers = (people: string, jobs: string): TrustedIssuers => ({
  signIn: { issuer: people, client_id: clientId },
  jobAudience,
  issuers: [
    {
      ...{ issuer: people, holders: 'people', audiences: [clientId, jobAudience] },
      label: { claim: 'email', prefix: '' },
      rules: [
        { if: {}, scopes: ['submit'] },
        { if: { groups: ['security'] }, scopes: ['review'] },
      ],
    },
    {
      ...{ issuer: jobs, holders: 'jobs', audiences: [jobAudience] },
      label: { claim: 'repository', prefix: 'ci:' },
      rules: [{ if: { repository_id: ['7'], ref: ['refs/heads/main'] }, scopes: ['submit'] }],
    },
  ],
});
