import type { RequestError } from '../../shared/api/client/client.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { formatValue } from '../output/values.ts';
import { findCredential } from '../session/credentials.ts';
import { IdTokenError } from '../session/id-token-error.ts';
import type { Settings } from '../session/settings.ts';
import { exitCodes, toExitCode } from './exit-code.ts';

const describeTokenSource = (settings: Settings | undefined): string => {
  const credential = settings && findCredential(settings.credentials);
  if (credential?.kind === 'job') return `The token is ${credential.source}.`;
  return `The token came from ${credential?.source ?? 'the command'}.`;
};

const describeUrlSource = (settings: Settings | undefined): string => {
  const proxies = settings?.proxies ?? [];
  const through = proxies.length > 0 ? ` A proxy is set by ${proxies.join(' and ')}.` : '';
  return `The URL came from ${settings?.url.source}.${through}`;
};

/** The base URL has no path of the API: the command adds it. */
const describeWrongBase = (settings: Settings | undefined): string => {
  const { value, source } = settings?.url ?? {};
  const surplus = /\/api(?:\/v1)?\/*$/.exec(value ?? '')?.[0];
  const advice = surplus ? `Remove ${surplus}.` : 'Check that it is the base URL of the registry.';
  return `The URL is ${value}, from ${source}. ${advice}`;
};

/** Returns the flags of an approval in spite of blocking issues. No override lifts malware. */
const listTerms = (issues: string): string => {
  const codes = issues.split(',').filter((code) => code !== 'malware');
  const override = codes.length > 0 ? [`--override ${codes.join(',') || 'CODES'}`] : [];
  return [...(issues.includes('malware') ? ['--accept-recall ID'] : []), ...override].join(' ');
};

/** The next step for each problem code, in terms of commands. */
const advice: Readonly<Record<string, (settings: Settings | undefined, issues: string) => string>> =
  {
    missing_token: () => 'Give a token with registry login, REGISTRY_TOKEN or --token.',
    invalid_token: describeTokenSource,
    holder_refused: describeTokenSource,
    ambiguous_version: () => 'Add one of these to the command:',
    wrong_subject: () => 'To keep it anyway, add: --force',
    reason_required: () => 'Add --reason.',
    approval_blocked: (_, issues) => `To approve anyway, add: ${listTerms(issues)} --reason "…"`,
    version_recalled: () => 'To approve it anyway, add: --accept-recall ID --reason "…"',
    evidence_changed: () =>
      'Read registry show --evidence --json again, and pass its evidence_version to --expected-evidence-version.',
    license_not_found: () => 'List the known licenses with registry license list.',
    package_not_found: () =>
      'Find packages by a part of their name with registry list --search. Submit a new one with registry submit.',
    project_not_found: () =>
      'List projects with registry projects; record one with registry check --record.',
    scan_not_found: () => "Upload a scanner's report with registry scan upload.",
    route_not_found: describeWrongBase,
    unreachable: describeUrlSource,
    timeout: describeUrlSource,
    unexpected_answer: describeUrlSource,
  };

/**
 * Returns the next step after a problem, in one line; undefined if there is none.
 * @param issues the codes of the blocking issues, comma-separated; empty if they differ between items
 */
export const findAdvice = (
  code: string,
  settings: Settings | undefined,
  issues = '',
): string | undefined =>
  Object.hasOwn(advice, code) ? advice[code]?.(settings, issues) : undefined;

const pickObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Formats a candidate of an ambiguous version as flags. */
const formatCandidate = ({ ecosystem, version, status }: JsonObject): string =>
  `  --ecosystem ${formatValue(ecosystem)} --version ${formatValue(version)}   (${formatValue(status)})`;

/** Formats the blocking issues of an approval, one line each. */
export const formatReasons = ({ problem }: RequestError): string[] =>
  pickObjects(problem?.['reasons']).map(({ message }) => `  - ${formatValue(message)}`);

const listIssueCodes = ({ problem }: RequestError): string =>
  pickObjects(problem?.['reasons'])
    .map(({ code }) => formatValue(code))
    .join(',');

/** Problems whose detail describes HTTP: the title and the next step describe them for the command line. */
const codesWithTitle = new Set([
  ...['ambiguous_version', 'approval_blocked', 'missing_token', 'route_not_found'],
]);

/** Returns what is wrong, in one sentence. The field of a missing reason is left out: the next step names the flag. */
const describeFault = (
  { problem, code, detail }: RequestError,
  reasons: readonly string[],
): string => {
  if (problem && codesWithTitle.has(code))
    return `${problem.title}${reasons.length > 0 ? ':' : '.'}`;
  return code === 'reason_required' ? detail.replace(/^reason: /, '') : detail;
};

/** Describes a refused or failed request and the next step, one line each. */
export const describeRequestFailure = (
  error: RequestError,
  settings: Settings | undefined,
): string[] => {
  if (error instanceof IdTokenError) return [error.detail, ...error.advice];
  const { problem, code, requestId } = error;
  const reasons = formatReasons(error);
  const candidates = pickObjects(problem?.['candidates']).map(formatCandidate);
  const waitSeconds = Math.ceil(error.retryAfterMs / 1000);
  const next = findAdvice(code, settings, listIssueCodes(error));
  const isFault = toExitCode(error) === exitCodes.fault;
  return [
    describeFault(error, reasons),
    ...reasons,
    ...(next === undefined ? [] : [next]),
    ...candidates,
    ...(waitSeconds > 0 ? [`Try again in ${waitSeconds} s.`] : []),
    ...(isFault && requestId ? [`Find request ${requestId} in the log of the registry.`] : []),
  ];
};
