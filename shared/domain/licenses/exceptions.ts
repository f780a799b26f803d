import type { LicenseCategory } from './category.ts';
import { findException } from './license-id.ts';

/**
 * Additional permission of an exception. `linking`: works that only link with the code, or are compiled with it, may
 * have any license. `output`: output of a tool may have any license, although it contains parts of the tool.
 * `interoperation`: only the combinations that the exception names are permitted; the license's terms apply otherwise.
 */
export type ExceptionEffect = 'linking' | 'output' | 'interoperation';

/** Exceptions by effect, according to their texts at https://spdx.org/licenses/<id>.html. */
const idsByEffect: Readonly<Record<ExceptionEffect, string>> = {
  linking: [
    'Classpath-exception-2.0 GCC-exception-2.0 GCC-exception-2.0-note GCC-exception-3.1 GNAT-exception',
    'eCos-exception-2.0 WxWindows-exception-3.1 LGPL-3.0-linking-exception FLTK-exception',
    'OCaml-LGPL-linking-exception SANE-exception Fawkes-Runtime-exception',
    'gnu-javamail-exception mif-exception Qwt-exception-1.0 LZMA-exception Classpath-exception-2.0-short',
    'Independent-modules-exception harbour-exception Simple-Library-Usage-exception polyparse-exception romic-exception',
  ].join(' '),
  output: [
    'Autoconf-exception-2.0 Autoconf-exception-3.0 Autoconf-exception-generic Autoconf-exception-generic-3.0',
    'Autoconf-exception-macro Bison-exception-1.24 Bison-exception-2.2 Font-exception-2.0 Libtool-exception',
    'PS-or-PDF-font-exception-20170817 Texinfo-exception Qt-GPL-exception-1.0 KiCad-libraries-exception',
  ].join(' '),
  interoperation: [
    'LLVM-exception Swift-exception Linux-syscall-note u-boot-exception-2.0 Universal-FOSS-exception-1.0',
    'Qt-LGPL-exception-1.1 openvpn-openssl-exception cryptsetup-OpenSSL-exception stunnel-exception',
    'vsftpd-openssl-exception x11vnc-openssl-exception Bootloader-exception GPL-CC-1.0',
    'OpenJDK-assembly-exception-1.0 i2p-gpl-java-exception GNU-compiler-exception GPL-3.0-linking-exception',
    'Asterisk-linking-protocols-exception CGAL-linking-exception Digia-Qt-LGPL-exception-1.1',
    'erlang-otp-linking-exception GPL-3.0-389-ds-base-exception kvirc-openssl-exception RRDtool-FLOSS-exception-2.0',
    'rsync-linking-exception Spelling-Provider-LGPL-exception sqlitestudio-OpenSSL-exception',
    'GStreamer-exception-2005 GStreamer-exception-2008 DigiRule-FOSS-exception libpri-OpenH323-exception',
  ].join(' '),
};

const effects = new Map<string, ExceptionEffect>(
  (Object.keys(idsByEffect) as ExceptionEffect[]).flatMap((effect) =>
    idsByEffect[effect].split(' ').map((id) => [id.toLowerCase(), effect] as const),
  ),
);

/** Exceptions with a known effect, in lower case. */
export const knownExceptions: readonly string[] = [...effects.keys()];

/** Returns the effect of an exception, or undefined if it is unknown. */
export const findExceptionEffect = (exception: string): ExceptionEffect | undefined =>
  effects.get(exception.toLowerCase());

/** True if SPDX does not know the exception after WITH. Such an addition may permit more, or restrict. */
export const hasUnknownAddition = ({ exception }: { readonly exception?: string }): boolean =>
  exception !== undefined && findException(exception) === undefined;

/** Returns the URL of the exception's text, or null if SPDX does not have it. */
export const formatExceptionUrl = (exception: string): string | null => {
  const id = findException(exception);
  return id === undefined ? null : `https://spdx.org/licenses/${id}.html`;
};

/** Returns the category of a license with an exception. A linking exception turns copyleft into weak copyleft. */
export const applyException = (
  category: LicenseCategory,
  exception: string | undefined,
): LicenseCategory =>
  category === 'copyleft' && exception !== undefined && findExceptionEffect(exception) === 'linking'
    ? 'weak-copyleft'
    : category;
