import type { ErasureCertificate, KeptCount } from '@tire/contracts/console';
import { createHmac, timingSafeEqual } from 'node:crypto';

export type Unsigned = Omit<ErasureCertificate, 'signature'>;

const DAY_MS = 86_400_000;
/** Facts in the streams of the broker end by themselves. */
const STREAMS_MS = 7 * DAY_MS;

/** The same text for the same values, whatever the order of the fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

const digestOf = (key: Buffer, fields: object): Buffer => createHmac('sha256', key).update(canonical(fields)).digest();

export const signed = (key: Buffer, certificate: Unsigned): ErasureCertificate => ({
  ...certificate,
  signature: digestOf(key, certificate).toString('hex'),
});

const SIGNATURE = /^[0-9a-f]{64}$/;
/** More than a certificate has. What is nested deeper is not read to its end. */
const DEPTH_MAX = 8;

const isDeep = (value: unknown, left = DEPTH_MAX): boolean =>
  typeof value === 'object' && value !== null && (left === 0 || Object.values(value).some((field) => isDeep(field, left - 1)));

export function isSigned(key: Buffer, { signature, ...fields }: Readonly<Record<string, unknown>>): boolean {
  if (typeof signature !== 'string' || !SIGNATURE.test(signature) || isDeep(fields)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), digestOf(key, fields));
}

/** One count of each kind of thing of each service. */
export function summed(counts: readonly KeptCount[]): KeptCount[] {
  const sums = new Map<string, KeptCount>();
  for (const { store, what, count } of counts) {
    const name = `${store} ${what}`;
    sums.set(name, { store, what, count: (sums.get(name)?.count ?? 0) + count });
  }
  return [...sums.values()].filter(({ count }) => count > 0).toSorted((a, b) => (`${a.store} ${a.what}` < `${b.store} ${b.what}` ? -1 : 1));
}

type Stay = ErasureCertificate['stays'][number];

const stay = (what: string, en: string, ko: string, until: Date | null = null): Stay => ({
  what,
  why: { en, ko },
  until: until?.toISOString() ?? null,
});

/** What an erasure leaves, and why. */
export function stayingAfter(endedAt: Date, backupDays: number, held: number): Stay[] {
  const in_ = (ms: number) => new Date(endedAt.getTime() + ms);
  return [
    stay(
      'usage',
      'Numbers of reports, images and failures by quarter of an hour, for invoices. They contain no names.',
      '청구를 위한 15분 단위의 보고서·사진·실패 건수입니다. 개인을 알 수 있는 내용은 없습니다.',
    ),
    stay(
      'audit_log',
      'That members changed a report, with its id. The log has no plate, name, number or address of a customer.',
      '담당자가 보고서를 변경했다는 사실과 보고서 ID입니다. 차량번호나 고객의 이름·전화번호·이메일은 기록에 없습니다.',
    ),
    stay(
      'tombstones',
      'Ids of removed reports, digests of the tokens of their pages and the fact of each callback without its body: pages keep saying that they were deleted, and late messages are ignored.',
      '삭제된 보고서의 ID, 공유 주소 토큰의 해시, 본문이 없는 콜백 기록입니다. 공유 페이지가 삭제되었음을 알리고, 늦게 도착한 메시지를 무시하기 위해서입니다.',
    ),
    stay(
      'reminder_stops',
      'Keyed digests of receivers who stopped reminders, so that they get none again.',
      '점검 알림을 거부한 수신자의 암호화된 해시입니다. 점검 알림을 다시 보내지 않기 위해서입니다.',
    ),
    stay(
      'streams',
      'Messages between services hold ids and measured values, and no plate, name or number. They end by themselves.',
      '서비스 사이의 메시지에는 ID와 측정값만 있고 차량번호·이름·전화번호는 없습니다. 보관 기한이 지나면 자동으로 삭제됩니다.',
      in_(STREAMS_MS),
    ),
    stay(
      'backups',
      'Backups of the databases and of the bucket, until they are replaced. A backup that is restored is erased again by this certificate.',
      '데이터베이스와 저장소의 백업은 교체될 때까지 남습니다. 백업을 복원하면 이 증명서에 따라 다시 삭제합니다.',
      in_(backupDays * DAY_MS),
    ),
    stay(
      'received',
      'What was sent before: callbacks that the partner received, messages at their providers, files that members exported, scheduled files in the bucket of the organization. The service cannot reach them.',
      '이미 전달된 콜백, 발송 업체에 넘긴 메시지, 담당자가 내려받은 파일, 회사 버킷으로 보낸 자동 내보내기 파일은 서비스가 지울 수 없습니다.',
    ),
    ...(held > 0
      ? [
          stay(
            'held',
            'Reports with a legal hold. They can be erased when the hold has ended.',
            '법적 보존이 설정된 보고서입니다. 보존이 해제된 뒤에 삭제할 수 있습니다.',
          ),
        ]
      : []),
  ];
}
