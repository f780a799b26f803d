import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { answerJson, type OciAnswer, refuse } from './oci-answers.ts';

/** Who may pull from a registry, and how a client shows who it is. */
export interface AccessOptions {
  /** Way of authentication. With `basic`, each request needs a user; with `bearer`, a token. */
  readonly auth: 'none' | 'bearer' | 'basic';
  /** Passwords by user name. */
  readonly users: Readonly<Record<string, string>>;
  /** Repositories whose tokens need a user. */
  readonly private: readonly string[];
  readonly tokenLifetimeSeconds: number;
}

/** Access control of a registry. */
export interface OciAccess {
  /** Answers a request for a token. */
  giveToken(request: IncomingMessage, url: URL): OciAnswer;
  /** Returns the refusal of a request; undefined if it may be answered. No repository is `/v2/`. */
  findRefusal(request: IncomingMessage, repository?: string): OciAnswer | undefined;
}

const service = 'registry.test';

/** Returns the access control of a registry at an address. */
export const createOciAccess = (address: string, options: AccessOptions): OciAccess => {
  const { auth, users, tokenLifetimeSeconds } = options;
  /** Repositories and ends of tokens. A token without a repository only shows that somebody asked. */
  const tokens = new Map<string, { readonly repository: string; readonly until: number }>();

  const isUser = ({ headers }: IncomingMessage): boolean => {
    const [, encoded = ''] = /^Basic (.*)$/i.exec(headers.authorization ?? '') ?? [];
    const [, name = '', password] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    return password !== undefined && Object.hasOwn(users, name) && users[name] === password;
  };

  /** Returns the error of a challenge: nothing for a request without a token. */
  const findTokenError = (request: IncomingMessage, repository?: string): string | undefined => {
    const [, token] = /^Bearer (.*)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return '';
    const known = tokens.get(token);
    if (!known || known.until <= Date.now()) return ',error="invalid_token"';
    const isEnough = repository === undefined || known.repository === repository;
    return isEnough ? undefined : ',error="insufficient_scope"';
  };

  const refuseWith = (challenge: string): OciAnswer =>
    refuse(401, 'UNAUTHORIZED', { 'WWW-Authenticate': challenge });

  return {
    giveToken: (request, { searchParams }) => {
      const [kind, repository = '', actions] = (searchParams.get('scope') ?? '').split(':');
      if (request.headers.authorization !== undefined && !isUser(request)) {
        return refuse(401, 'UNAUTHORIZED');
      }
      if (searchParams.get('service') !== service) return refuse(400, 'UNSUPPORTED');
      if (kind && (kind !== 'repository' || actions !== 'pull')) return refuse(403, 'DENIED');
      if (options.private.includes(repository) && !isUser(request)) {
        return refuse(401, 'UNAUTHORIZED');
      }
      const token = randomBytes(16).toString('hex');
      tokens.set(token, { repository, until: Date.now() + tokenLifetimeSeconds * 1000 });
      const issued_at = new Date().toISOString();
      return answerJson(200, { token, expires_in: tokenLifetimeSeconds, issued_at });
    },
    findRefusal: (request, repository) => {
      if (auth === 'none') return undefined;
      if (auth === 'basic')
        return isUser(request) ? undefined : refuseWith('Basic realm="registry"');
      const error = findTokenError(request, repository);
      if (error === undefined) return undefined;
      const scope = repository === undefined ? '' : `,scope="repository:${repository}:pull"`;
      return refuseWith(`Bearer realm="${address}/token",service="${service}"${scope}${error}`);
    },
  };
};
