import type { LicenseCategory } from './category.ts';
import { findException } from './license-id.ts';

/**
 * What an exception allows beyond the license. `linking`: works that only link with the code, or are compiled with it,
 * may be under any license. `output`: the same for what a tool copies of itself into its output. `interoperation`:
 * only the combinations that it names, so that the license's terms hold elsewhere.
 */
export type ExceptionEffect = 'linking' | 'output' | 'interoperation';

/** SPDX publishes the text of each at https://spdx.org/licenses/<id>.html; that is what these were read from. */
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

/** The exceptions whose effect is known, in lower case. */
export const knownExceptions: readonly string[] = [...effects.keys()];

/** What an exception allows; undefined if it is not known. */
export const findExceptionEffect = (exception: string): ExceptionEffect | undefined =>
  effects.get(exception.toLowerCase());

/** Whether something that SPDX does not know stands after WITH: it may add permission, or take some away. */
export const hasUnknownAddition = ({ exception }: { readonly exception?: string }): boolean =>
  exception !== undefined && findException(exception) === undefined;

/** The page with the exception's text; null if SPDX does not have it. */
export const formatExceptionUrl = (exception: string): string | null => {
  const id = findException(exception);
  return id === undefined ? null : `https://spdx.org/licenses/${id}.html`;
};

/** The category with an exception, which can only ever add permission: linking exceptions turn copyleft into weak copyleft. */
export const applyException = (
  category: LicenseCategory,
  exception: string | undefined,
): LicenseCategory =>
  category === 'copyleft' && exception !== undefined && findExceptionEffect(exception) === 'linking'
    ? 'weak-copyleft'
    : category;
