/** The settings for the way of functions to other services: subnets, a proxy and own certificate authorities. */
import * as z from 'zod';
import { awsIds } from '../setting-kinds.ts';

const proxyRule =
  'must be the http or https URL of a proxy such as http://proxy.example.com:3128, without a user, a password and a path';

const hostsRule =
  'must be names of hosts and IP addresses, with commas between, such as .example.com,10.0.0.8; a dot in front means all hosts of a domain';

/** Hosts, as a list or separated by commas. The value is a string, as functions get it in a variable. */
const hosts = z
  .union([z.string(), z.array(z.string())], { error: hostsRule })
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .transform((value) => [...new Set(value.map((one) => one.trim()))])
  .refine((value) => value.every((one) => /^\.?[a-z0-9][a-z0-9.:-]*$/.test(one)), {
    error: hostsRule,
  })
  .transform((value) => value.join(','));

const fileRule = 'must be the path of a PEM file';

/** The schemas of the settings, by name. */
export const networkSettings = {
  /** The subnets and security groups of the functions that send requests to other services. Each needs the other. */
  subnetIds: awsIds('subnet', 'subnets').default([]),
  securityGroupIds: awsIds('sg', 'security groups').default([]),
  /** The proxy of these requests. Everybody who may see a function's configuration sees it, so it has no password. */
  proxyUrl: z
    .url({ protocol: /^https?$/, error: proxyRule })
    .refine((text) => /^https?:\/\/[^/?#@\s]+\/?$/i.test(text), { error: proxyRule })
    .optional(),
  /** The hosts that functions reach without the proxy. */
  noProxy: hosts.optional(),
  /** The PEM file with certificate authorities that functions trust besides the public ones, relative to the project's folder. */
  caCertificates: z.string({ error: fileRule }).min(1, { error: fileRule }).optional(),
};
