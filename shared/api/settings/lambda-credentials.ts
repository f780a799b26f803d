/**
 * Replacement for the SDK's credential chain in the bundles. Lambda puts a function's credentials into the environment.
 * The rest of the chain (profiles, SSO, instance metadata) is a third of the bundle and of its start time.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
