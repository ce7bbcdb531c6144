import type { VisitDetails } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { ERASURE_LIMITS, type SubjectKind } from '@tire/contracts/limits';
import { DomainError, faulty } from '@tire/kernel';
import { Database, LEDGER, logger, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { isCustomer, normalizedSubject } from '../domain/subject';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { PhoneDigests } from '../visits/phone-digests';
import { VISIT_DETAILS } from '../visits/visits.store';
import { customersAfter, reportsOfPhone, type SealedCustomer } from './erasures.store';

const PORTION = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface Subject {
  readonly kind: SubjectKind;
  /** As it was entered. */
  readonly value: string;
}

type OnPortion = () => Promise<unknown>;

const tooMany = (): DomainError =>
  new DomainError('conflict', {
    param: 'value',
    message: `The value names more than ${ERASURE_LIMITS.reports} reports, more than one person or one vehicle has.`,
  });

/** The reports of a project that concern a person or a vehicle. */
@Injectable()
export class SubjectFinder {
  private readonly log = logger('erasures');

  constructor(
    private readonly database: Database,
    private readonly digests: PhoneDigests,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'sealingKeys'>,
  ) {}

  /** A keyed digest of the value, in one form however it is written. */
  digestOf(projectId: string, { kind, value }: Subject): Promise<Buffer> {
    return this.digests.of(projectId, `subject ${kind} ${this.normalized({ kind, value })}`);
  }

  /** Fails with conflict where there are too many. `onPortion` is called before each portion of a long search. */
  async reportIds(projectId: string, subject: Subject, onPortion: OnPortion = async () => {}): Promise<string[]> {
    const found = await this.find(projectId, subject, onPortion);
    if (found.length > ERASURE_LIMITS.reports) throw tooMany();
    return found.toSorted();
  }

  private async find(projectId: string, { kind, value }: Subject, onPortion: OnPortion): Promise<string[]> {
    const normalized = this.normalized({ kind, value });
    const limit = ERASURE_LIMITS.reports + 1;
    switch (kind) {
      case 'plate':
      case 'vin':
      case 'vehicle':
      case 'report':
        return (await this.ledger.findSubjectReports({ projectId, kind, value: value.trim(), limit })).reportIds;
      case 'phone': {
        const digest = await this.digests.of(projectId, normalized);
        return this.database.withProject(projectId, (tx) => reportsOfPhone(tx, projectId, digest, limit));
      }
      case 'email':
      case 'name':
        return this.ofCustomers(projectId, kind, normalized, onPortion);
    }
  }

  private async ofCustomers(projectId: string, kind: 'email' | 'name', normalized: string, onPortion: OnPortion): Promise<string[]> {
    const found: string[] = [];
    for (let after = BEFORE_ALL; found.length <= ERASURE_LIMITS.reports;) {
      await onPortion();
      const portion = await this.database.withProject(projectId, (tx) => customersAfter(tx, projectId, after, PORTION));
      for (const customer of portion) {
        const details = this.opened(projectId, customer);
        if (details && isCustomer(kind, normalized, details)) found.push(customer.reportId);
      }
      if (portion.length < PORTION) break;
      after = portion.at(-1)!.reportId;
    }
    return found;
  }

  /** Null where no key opens it: it cannot be read then, and the other customers are found. */
  private opened(projectId: string, { reportId, details }: SealedCustomer): VisitDetails | null {
    try {
      return JSON.parse(VISIT_DETAILS.open(this.settings.sealingKeys, { projectId, id: reportId }, details).toString()) as VisitDetails;
    } catch (error) {
      this.log.error({ err: error, report_id: reportId }, 'A customer cannot be opened and is not found by name or address');
      return null;
    }
  }

  private normalized({ kind, value }: Subject): string {
    const normalized = normalizedSubject(kind, value);
    if (normalized === null) throw faulty('value', MUST_BE[kind]);
    return normalized;
  }
}

const MUST_BE: Readonly<Record<SubjectKind, string>> = {
  plate: 'must be a plate.',
  vin: 'must be a VIN.',
  vehicle: 'must be the id of a vehicle.',
  report: 'must be the id of a report.',
  phone: 'is no phone number.',
  email: 'must be an e-mail address.',
  name: 'must be a name.',
};
