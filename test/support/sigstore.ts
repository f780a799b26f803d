import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock';
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs';

const generateKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const fulcio = '1.3.6.1.4.1.57264.1';

/** Claims of a build service about a build, by the number of the certificate's extension. */
export const claims = {
  8: 'https://issuer.example.com',
  9: 'https://github.com/acme/tool/.github/workflows/release.yml@refs/tags/v1.0.0',
  12: 'https://github.com/acme/tool',
  13: '0123456789012345678901234567890123456789',
  18: 'https://github.com/acme/tool/.github/workflows/release.yml@refs/tags/v1.0.0',
} as const;

/** Content of an attestation. */
export interface AttestedStatement {
  readonly predicateType: string;
  readonly subject: readonly { readonly name: string; readonly digest: object }[];
  readonly predicate?: object;
}

/** Entry of the mocked log, whose type the package does not declare. */
interface LogEntry {
  readonly body: string;
  readonly integratedTime: number;
  readonly logIndex: number;
  readonly verification: {
    readonly signedEntryTimestamp: string;
    readonly inclusionProof: {
      readonly logIndex: number;
      readonly rootHash: string;
      readonly treeSize: number;
      readonly checkpoint: string;
    };
  };
}

const logUrl = 'https://rekor.example.com';
const payloadType = 'application/vnd.in-toto+json';

/** Returns the bytes that a signature of an envelope covers (DSSE). */
const toSigned = (payload: Buffer): Buffer => {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
};

const toBytes = (view: ArrayBufferView): Buffer =>
  Buffer.from(view.buffer, view.byteOffset, view.byteLength);

/**
 * Starts services of Sigstore in this process: a certificate authority and two logs, with a trusted root of their own. `clock` is the
 * time of certificates. By default it is a minute ahead, since the root certificates begin when they are made.
 */
export const startSigstore = async (clock = new Date(Date.now() + 60_000)) => {
  const [caKeys, ctKeys, logKeys] = [generateKeys(), generateKeys(), generateKeys()];
  const ctLog = await initializeCTLog(ctKeys, clock);
  const ca = await initializeCA(caKeys, ctLog, clock);
  const start = new Date(Date.now() - 365 * 86_400_000);

  const openLog = async (keys: ReturnType<typeof generateKeys>, at = clock) => {
    const log = await initializeTLog(logUrl, keys, at);
    return { log, keyId: createHash('sha256').update(log.publicKey).digest() };
  };
  const ownLog = await openLog(logKeys);

  const toLog = (publicKey: Buffer, keyId: Buffer) => ({
    baseUrl: logUrl,
    logId: { keyId },
    hashAlgorithm: HashAlgorithm.SHA2_256,
    publicKey: {
      rawBytes: publicKey,
      keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256,
      validFor: { start },
    },
    checkpointKeyId: undefined,
    operator: '',
  });

  const root = TrustedRoot.toJSON({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [toLog(ownLog.log.publicKey, ownLog.keyId)],
    ctlogs: [toLog(ctLog.publicKey, toBytes(ctLog.logID))],
    certificateAuthorities: [
      {
        subject: { commonName: 'sigstore', organization: 'sigstore.mock' },
        uri: 'https://fulcio.example.com',
        certChain: { certificates: [{ rawBytes: toBytes(ca.rootCertificate) }] },
        validFor: { start },
        operator: '',
      },
    ],
    timestampAuthorities: [],
  });

  /** Returns a log entry of an envelope as a bundle has it. */
  const logEntry = async (
    payload: Buffer,
    signature: Buffer,
    certificate: Buffer,
    { log, keyId }: Awaited<ReturnType<typeof openLog>>,
  ) => {
    const body = {
      apiVersion: '0.0.1',
      kind: 'dsse',
      spec: {
        payloadHash: {
          algorithm: 'sha256',
          value: createHash('sha256').update(payload).digest('hex'),
        },
        signatures: [
          { signature: signature.toString('base64'), verifier: certificate.toString('base64') },
        ],
      },
    };
    const [entry] = Object.values<LogEntry>(await log.log(body));
    const proof = entry?.verification.inclusionProof;
    return {
      logIndex: String(entry?.logIndex),
      logId: { keyId: keyId.toString('base64') },
      kindVersion: { kind: 'dsse', version: '0.0.1' },
      integratedTime: String(entry?.integratedTime),
      inclusionPromise: { signedEntryTimestamp: entry?.verification.signedEntryTimestamp },
      inclusionProof: {
        logIndex: String(proof?.logIndex),
        rootHash: Buffer.from(proof?.rootHash ?? '', 'hex').toString('base64'),
        treeSize: String(proof?.treeSize),
        hashes: [],
        checkpoint: { envelope: proof?.checkpoint },
      },
      canonicalizedBody: String(entry?.body),
    };
  };

  /** Returns the parts of an attestation. `loggedAt` is the time of its log entry, `certified` overrides claims. */
  const attest = async (
    statement: AttestedStatement,
    {
      certified = {},
      loggedAt = clock,
      isForeignLog = false,
    }: {
      readonly certified?: Readonly<Record<number, string>>;
      readonly loggedAt?: Date;
      readonly isForeignLog?: boolean;
    } = {},
  ) => {
    const keys = generateKeys();
    const extensions = Object.entries({ ...claims, ...certified }).map(([number, value]) => ({
      oid: `${fulcio}.${number}`,
      value,
    }));
    const certificate = toBytes(
      await ca.issueCertificate({
        publicKey: keys.publicKey.export({ format: 'der', type: 'spki' }),
        subjectAltName: claims[9],
        extensions,
      }),
    );
    const payload = Buffer.from(
      JSON.stringify({ _type: 'https://in-toto.io/Statement/v1', predicate: {}, ...statement }),
    );
    const signature = sign('sha256', toSigned(payload), keys.privateKey);
    const log = isForeignLog ? await openLog(generateKeys()) : await openLog(logKeys, loggedAt);
    const entry = await logEntry(payload, signature, certificate, log);
    return { certificate, payload, signature, entry };
  };

  return { root, attest };
};

export type Sigstore = Awaited<ReturnType<typeof startSigstore>>;
export type AttestationParts = Awaited<ReturnType<Sigstore['attest']>>;

/** Returns an attestation as a Sigstore bundle. */
export const toBundle = ({ certificate, payload, signature, entry }: AttestationParts) => ({
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: {
    certificate: { rawBytes: certificate.toString('base64') },
    tlogEntries: [entry],
  },
  dsseEnvelope: {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [{ sig: signature.toString('base64') }],
  },
});

/** Returns an attestation as PyPI returns it (PEP 740). */
export const toPep740 = ({ certificate, payload, signature, entry }: AttestationParts) => ({
  version: 1,
  verification_material: {
    certificate: certificate.toString('base64'),
    transparency_entries: [entry],
  },
  envelope: { statement: payload.toString('base64'), signature: signature.toString('base64') },
});
