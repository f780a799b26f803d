import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isPackageName } from '../../domain/packages/package-name.ts';
import { isLoopback } from '../../domain/packages/source-hosts.ts';
import { imageRegistriesFile } from '../resources.ts';
import { readCodeFolder } from './env.ts';

/** Maximum number of image registries of a deployment. */
const mostRegistries = 100;

/** Host of Docker Hub as in image names. Another host has its API. */
const hubHost = 'docker.io';
const hubApiHost = `index.${hubHost}`;

const isHubName = (host: string): boolean => host !== hubHost && host.endsWith(`.${hubHost}`);

/** True for a host exactly as canonical image names have it. In a name, only a host may have capital letters. */
const isImageHost = (host: string): boolean =>
  (host === 'localhost' || isPackageName('docker', `${host.toUpperCase()}/owner/image`)) &&
  URL.parse(`https://${host}`)?.host === host.replace(/:443$/, '');

const hostRule =
  'must be a host as in image names, in lower case and with its port if it has one, such as registry.example.com:5000';
const Host = z
  .string({ error: hostRule })
  .refine((host) => !isHubName(host), { error: `must be ${hubHost} for Docker Hub`, abort: true })
  .refine(isImageHost, { error: hostRule });

const urlRule =
  'must be the https URL of the API, without /v2 at its end, user, query and fragment; http only for this machine';
const Url = z
  .url({ protocol: /^https?$/, error: urlRule, abort: true })
  .refine((text) => !/[?#@]/.test(text) && !/\/v2\/*$/.test(text), { error: urlRule })
  .refine((text) => !/^http:/i.test(text) || isLoopback(new URL(text)), { error: urlRule })
  .transform((text) => text.replace(/\/+$/, ''));

const Registry = z
  .strictObject(
    { host: Host, url: Url.optional() },
    { error: 'must be an object with host, an optional url, and nothing else' },
  )
  .transform(({ host, url }) => ({
    host,
    url: url ?? `https://${host === hubHost ? hubApiHost : host}`,
  }));

/** Schema of the file with the image registries. Without a `url`, the API of a registry is at its host. */
export const ImageRegistries = z.strictObject(
  {
    registries: z
      .array(Registry, { error: 'must be a list of registries' })
      .max(mostRegistries, { error: `must have at most ${mostRegistries} registries` })
      .superRefine((registries, context) => {
        const hosts = registries.map(({ host }) => host);
        for (const [at, host] of hosts.entries()) {
          if (hosts.indexOf(host) === at) continue;
          const message = `must be in the list once, not twice: ${host}`;
          context.addIssue({ code: 'custom', path: [at, 'host'], message });
        }
      }),
  },
  { error: 'must be an object with registries and nothing else' },
);
export type ImageRegistries = z.output<typeof ImageRegistries>;

let known: ImageRegistries['registries'] | undefined;

/**
 * Returns the image registries that may be requested. The stack puts their file beside the function's code, so the list is
 * constant for the life of a function instance.
 */
export const readImageRegistries = (): ImageRegistries['registries'] => {
  known ??= ImageRegistries.parse(
    JSON.parse(readFileSync(`${readCodeFolder()}/${imageRegistriesFile}`, 'utf8')),
  ).registries;
  return known;
};
