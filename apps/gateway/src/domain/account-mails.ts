import { browserName } from '@tire/kernel';
import { plainName } from './plain-name';

/** The language of a person is not known here, so each mail is in Korean and in English. */
interface Mail {
  readonly subject: string;
  readonly text: string;
}

export const ALERTS = {
  signed_in: ['처음 보는 브라우저에서 로그인했습니다', 'Sign-in from a new browser'],
  password_changed: ['비밀번호를 변경했습니다', 'Your password was changed'],
  password_reset: ['메일로 비밀번호를 다시 설정했습니다', 'Your password was reset by e-mail'],
  totp_enabled: ['일회용 코드를 켰습니다', 'One-time codes were turned on'],
  totp_disabled: ['일회용 코드를 껐습니다', 'One-time codes were turned off'],
  recovery_codes_renewed: ['복구 코드를 다시 발급했습니다', 'Your recovery codes were replaced'],
  passkey_added: ['패스키를 등록했습니다', 'A passkey was added'],
  passkey_removed: ['패스키를 삭제했습니다', 'A passkey was removed'],
  openid_connected: ['외부 계정 로그인을 연결했습니다', 'Sign-in with a provider was connected'],
  key_issued: ['API 키를 발급했습니다', 'An API key was issued'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export type AlertKind = keyof typeof ALERTS;

const PRODUCT = ['타이어 점검', 'Tire inspection'] as const;
const BREAK = '\n\n――――――――――\n\n';

const mail = (subject: readonly [string, string], korean: readonly string[], english: readonly string[]): Mail => ({
  subject: `[${PRODUCT[0]}] ${subject[0]} · ${subject[1]}`,
  text: `${[PRODUCT[0], ...korean].join('\n\n')}${BREAK}${[PRODUCT[1], ...english].join('\n\n')}\n`,
});

const ROLES = {
  owner: ['소유자', 'owner'],
  administrator: ['관리자', 'administrator'],
  developer: ['개발자', 'developer'],
  support: ['고객 지원', 'support'],
} as const;

export interface InvitationFacts {
  readonly organization: string;
  readonly role: keyof typeof ROLES;
  readonly link: string;
  readonly expiresAt: Date;
}

export function invitationMail({ organization, role, link, expiresAt }: InvitationFacts): Mail {
  const [name, until] = [plainName(organization), shownTime(expiresAt)];
  return mail(
    ['초대', 'Invitation'],
    [
      `"${name}" 조직에 ${ROLES[role][0]} 역할로 초대되었습니다. 아래 링크를 열어 참여해 주세요.`,
      link,
      `이 링크는 ${until}까지 한 번만 쓸 수 있습니다. 모르는 초대라면 이 메일을 무시해 주세요.`,
    ],
    [
      `You are invited to join "${name}" as ${ROLES[role][1]}. Open this link to join.`,
      link,
      `The link works once, until ${until}. If you do not know this organization, ignore this mail.`,
    ],
  );
}

export const passwordResetMail = ({ link, minutes }: { readonly link: string; readonly minutes: number }): Mail =>
  mail(
    ['비밀번호 재설정', 'Reset your password'],
    [
      '비밀번호 재설정을 요청받았습니다. 아래 링크에서 새 비밀번호를 정해 주세요.',
      link,
      `이 링크는 ${minutes}분 동안 한 번만 쓸 수 있습니다. 새 비밀번호를 정하면 모든 세션이 종료되고 등록한 패스키가 모두 삭제됩니다. 요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 바뀌지 않습니다.`,
    ],
    [
      'Somebody asked to reset the password of your account. Choose a new one here.',
      link,
      `The link works once, for ${minutes} minutes. A new password ends every session and removes every passkey. If you did not ask for it, ignore this mail. Your password stays as it is.`,
    ],
  );

export interface AlertFacts {
  readonly at: Date;
  readonly address: string;
  readonly userAgent: string;
  /** The name of what was made. */
  readonly name?: string;
  /** The address of the account page. */
  readonly accountPage: string;
}

export function alertMail(kind: AlertKind, { at, address, userAgent, name, accountPage }: AlertFacts): Mail {
  const browser = browserName(userAgent);
  const [korean, english] = ALERTS[kind];
  const shown = name === undefined ? null : plainName(name);
  const facts = (words: readonly [string, string, string, string], unknown: string): string =>
    [
      ...(shown === null ? [] : [`${words[0]}: ${shown}`]),
      `${words[1]}: ${shownTime(at)}`,
      `${words[2]}: ${browser ?? unknown}`,
      `${words[3]}: ${address}`,
    ].join('\n');
  return mail(
    [korean, english],
    [
      `${korean}.`,
      facts(['이름', '시각', '브라우저', '접속 주소'], '알 수 없음'),
      '직접 한 일이면 아무것도 하지 않아도 됩니다. 아니라면 바로 비밀번호를 바꾸고, 모르는 세션을 종료하고, 모르는 패스키를 삭제해 주세요.',
      accountPage,
    ],
    [
      `${english}.`,
      facts(['Name', 'Time', 'Browser', 'Address'], 'unknown'),
      'If this was you, there is nothing to do. If not, change your password now, and end the sessions and remove the passkeys that you do not know.',
      accountPage,
    ],
  );
}

interface FailedExport {
  readonly project: string;
  readonly file: string;
  /** The page with the schedules of the project. */
  readonly page: string;
}

/** To the owners of the organization, once for each file. */
export function failedExportMail({ project, file, page }: FailedExport): Mail {
  const name = plainName(project);
  return mail(
    ['자동 내보내기에 실패했습니다', 'A scheduled export failed'],
    [
      `"${name}" 프로젝트의 자동 내보내기 파일을 여러 번 시도했지만 만들거나 보내지 못했습니다.`,
      `파일: ${file}`,
      '이유와 다음 시도 시각은 아래 화면에서 확인해 주세요. 설정을 고쳐 저장하면 바로 다시 시도합니다.',
      page,
    ],
    [
      `A file of a scheduled export of "${name}" could not be made or sent in several attempts.`,
      `File: ${file}`,
      'This page shows why, and when the next attempt is. If you correct the settings and save them, it is tried again at once.',
      page,
    ],
  );
}

const KOREA_AHEAD_MS = 9 * 3_600_000;
const minuteOf = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

/** Korea has had one time, nine hours ahead, since 1988. */
const shownTime = (at: Date): string => `${minuteOf(new Date(at.getTime() + KOREA_AHEAD_MS))} KST (${minuteOf(at)} UTC)`;
