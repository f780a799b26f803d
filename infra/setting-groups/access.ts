import { file, flag, issuerUrl, oneLine, origins, whole } from '../setting-kinds.ts';

/** Settings of tokens, accounts and jobs. */
export const accessSettings = {
  /** Whether an empty token list rejects protected requests instead of switching authentication off. */
  requireTokens: flag.default(false),
  /** The OpenID Connect issuer of the company's accounts, and its public client for console and command line. Each needs the other. */
  oidcIssuer: issuerUrl.optional(),
  oidcClientId: oneLine('the id of a client').optional(),
  /** The audience of ID tokens of CI jobs. People may send tokens for it, too. */
  oidcAudience: oneLine('an audience').optional(),
  /** The origins to which the console sends requests for a sign-in. Without them, the deployment asks the issuer. */
  oidcOrigins: origins.optional(),
  /** The JSON file with the rules from claims of ID tokens to labels and scopes, relative to the project's folder. */
  identityRules: file.default('infra/identity.json'),
  /** Whether reviewers cannot approve their own submissions, and need a token with a label. */
  fourEyes: flag.default(false),
  /** The interval in days at which Secrets Manager rotates the generated token. Without it, never. */
  rotationDays: whole('must be a number of days')
    .refine((days) => days >= 1 && days <= 1000, { error: 'must be from 1 to 1000' })
    .optional(),
  /** The number of earlier tokens that stay valid after a rotation, while clients switch. */
  keptTokens: whole('must be a number of tokens')
    .refine((count) => count >= 1 && count <= 10, { error: 'must be from 1 to 10' })
    .default(1),
};
