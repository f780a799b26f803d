import type { ScanPolicy } from '../domain/scans/scan-result.ts';
import { settingVariables, type TableId, tables, tokensEnv } from '../resources.ts';

/** The only reader of process.env. A missing variable means that the stack did not bind what the code uses. */
const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
};

/** The name of a table in this deployment. */
export const tableName = (id: TableId): string => required(tables[id].env);

/** The ARN of the secret that holds the accepted tokens. */
export const tokensSecretArn = (): string => required(tokensEnv);

/** Whether an empty token list refuses protected requests instead of letting them all in. */
export const tokensRequired = (): boolean => required(settingVariables.requireTokens) === 'true';

/** Over how many shards each of the catalogue's counters is spread. */
export const counterShards = (): number => Number(required(settingVariables.counterShards));

/** How many earlier tokens a rotation leaves valid. */
export const keptTokens = (): number => Number(required(settingVariables.keptTokens));

/** Whether a version is only approved where its license is. */
export const approvedLicenseRequired = (): boolean =>
  required(settingVariables.requireApprovedLicense) === 'true';

/** Where and how OSV.dev is asked. */
export const osvSettings = (): { url: string; timeoutMs: number } => ({
  url: required(settingVariables.osvUrl),
  timeoutMs: Number(required(settingVariables.osvTimeoutMs)),
});

/** From which severity on one vulnerability makes a scan fail or warn. The stack checks what is set. */
export const scanPolicy = (): ScanPolicy => ({
  failedFrom: required(settingVariables.scanFailedFrom) as ScanPolicy['failedFrom'],
  warningFrom: required(settingVariables.scanWarningFrom) as ScanPolicy['warningFrom'],
});

/** Every how many hours all approved versions are scanned again. */
export const rescanHours = (): number => Number(required(settingVariables.rescanHours));

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

/** Whether requests go through a proxy, as the usual variables say. Read by programs that use the client. */
export const isProxied = (): boolean => proxyVariables.some((name) => Boolean(process.env[name]));
