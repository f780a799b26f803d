import type { IncomingMessage } from 'node:http';
import { type Scene, type ScriptedServer, startScripted } from './scripted-server.ts';

/** The claims of a job of GitHub Actions, as its documentation lists them. */
export const githubClaims = {
  ...{ sub: 'repo:acme/shop:ref:refs/heads/main', repository: 'acme/shop', repository_id: '7' },
  ...{ repository_owner: 'acme', repository_owner_id: '65', repository_visibility: 'private' },
  ...{ ref: 'refs/heads/main', ref_type: 'branch', ref_protected: 'true', sha: 'a'.repeat(40) },
  ...{ environment: 'production', event_name: 'push', head_ref: '', base_ref: '' },
  ...{ actor: 'ana', actor_id: '12', workflow: 'packages', run_id: '30', run_number: '10' },
  ...{ run_attempt: '2', runner_environment: 'github-hosted' },
  workflow_ref: 'acme/shop/.github/workflows/packages.yml@refs/heads/main',
  job_workflow_ref: 'acme/shop/.github/workflows/packages.yml@refs/heads/main',
} as const;

/** The claims of a job of GitLab, as its documentation lists them. */
export const gitlabClaims = {
  sub: 'project_path:acme/shop:ref_type:branch:ref:main',
  ...{ project_id: '22', project_path: 'acme/shop', namespace_id: '72', namespace_path: 'acme' },
  ...{ ref: 'main', ref_type: 'branch', ref_protected: 'true', ref_path: 'refs/heads/main' },
  ...{ user_id: '42', user_login: 'ana', user_email: 'ana@example.com', user_access_level: '40' },
  ...{ pipeline_id: '1212', pipeline_source: 'push', job_id: '1', runner_id: 1 },
  ...{ environment: 'production', environment_protected: 'true', deployment_tier: 'production' },
} as const;

/** The service of GitHub that issues ID tokens of a job. */
export interface GithubJob extends ScriptedServer {
  /** The variables of the job. */
  readonly env: Readonly<Record<string, string>>;
}

const requestToken = 'request-token-of-the-job';

/** Replays the service: it issues a token for each audience that the job requests with its own token. */
export const startGithubJob = async (
  sign: (audience: string) => Promise<string>,
  ...before: readonly Scene[]
): Promise<GithubJob> => {
  const answer = async ({ url = '', headers, method }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const isRight =
      method === 'GET' &&
      pathname === '/idtoken/run/job' &&
      searchParams.get('api-version') === '2.0' &&
      headers.authorization === `bearer ${requestToken}`;
    return isRight
      ? { status: 200, body: { count: 1, value: await sign(searchParams.get('audience') ?? '') } }
      : { status: 401, body: { message: 'Unauthorized' } };
  };
  const issue: Scene = async (response, request) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  };
  const server = await startScripted(...before, issue);
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/idtoken/run/job?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
  };
  return { ...server, env };
};
