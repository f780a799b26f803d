/** The environment of a function, without the variables of this machine. */
import { settingVariables, tables, tokensEnv } from '../../../shared/api/resources.ts';
import { apiKey } from './requests.ts';

export const makeEnvironment = (url: string): Record<string, string> => ({
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_ENDPOINT_URL: url,
  ...Object.fromEntries(Object.values(tables).map(({ env }) => [env, env.toLowerCase()])),
  [tokensEnv]: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:tokens-AbCdEf',
  [settingVariables.requireTokens]: 'true',
  [settingVariables.fourEyes]: 'false',
  [settingVariables.submissionsPerDay]: '0',
  [settingVariables.ownPackages]: 'none',
  [settingVariables.counterShards]: '4',
  // The peers' token.
  API_KEY: apiKey,
});
