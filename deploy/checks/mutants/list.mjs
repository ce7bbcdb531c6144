// Small faults in the code that hands reports from one process to the next. Each has the specs that must notice it, cheap ones first.
const eventing = (...specs) => ({ config: 'libs/eventing/jest.config.cjs', specs });
const of = (app, ...specs) => ({ config: `apps/${app}/jest.config.cjs`, specs });

const DELIVERY = 'libs/eventing/src/delivery.ts';
const RELAY = 'libs/eventing/src/relay.ts';
const DECIDE = 'apps/ledger/src/domain/decide.ts';
const NOTED = 'apps/ledger/src/domain/noted.ts';
const COMMANDS = 'apps/ledger/src/reports/report.commands.ts';
const HANDOVER = 'apps/ledger/src/domain/handover.ts';
const CREATION = 'apps/ledger/src/creation/creation.service.ts';
const FETCH_RESULTS = 'apps/assets/src/fetching/fetch.results.ts';
const PUBLICATION = 'apps/share/src/domain/publication.ts';
const CALLBACKS = 'apps/share/src/callbacks/callback.store.ts';

export const MUTANTS = [
  {
    name: 'a message is acknowledged before it is handled',
    file: DELIVERY,
    from: '      await this.handler.handle(decoded, { id, deliveryCount, signal, leavePlace });',
    to: '      this.answer(ACK);\n      await this.handler.handle(decoded, { id, deliveryCount, signal, leavePlace });',
    tests: eventing('consumers.int'),
  },
  {
    name: 'a message whose handler failed is acknowledged',
    file: DELIVERY,
    from: '    this.answer(nak(delayMs));\n  }\n\n  private async exhaust',
    to: '    this.answer(ACK);\n  }\n\n  private async exhaust',
    tests: eventing('consumers.int'),
  },
  {
    name: 'a message is given up without its dead letter',
    file: DELIVERY,
    from: "    await this.handler.onExhausted?.(decoded, cause);\n    await this.giveUp(cause, 'failing');",
    to: '    await this.handler.onExhausted?.(decoded, cause);\n    this.answer(TERM);',
    tests: eventing('consumers.int'),
  },
  {
    name: 'a message is given up without its failure',
    file: DELIVERY,
    from: '    await this.handler.onExhausted?.(decoded, cause);\n',
    to: '',
    tests: eventing('consumers.int'),
  },
  {
    name: 'a copy at the end of the queue has the id of the first message',
    file: DELIVERY,
    from: 'const msgID = `${this.id}:again:${this.streamSequence}`;',
    to: 'const msgID = this.id;',
    tests: eventing('consumers.int'),
  },
  {
    name: 'a long handler does not say that it works',
    file: DELIVERY,
    from: 'const working = setInterval(() => this.answer(WORKING), this.handler.ackWaitMs / 3);',
    to: 'const working = setInterval(() => undefined, this.handler.ackWaitMs / 3);',
    tests: eventing('consumers.int'),
  },
  {
    name: 'the relay deletes messages that the broker did not take',
    file: RELAY,
    from: "outcomes.filter(({ kind }) => kind === 'published')",
    to: "outcomes.filter(({ kind }) => kind !== 'refused')",
    tests: eventing('outbox.int'),
  },
  {
    name: 'the relay keeps messages that the broker took',
    file: RELAY,
    from: 'if (done.length > 0) await deleteMessages(tx, done);',
    to: 'if (done.length > 1) await deleteMessages(tx, done);',
    tests: eventing('outbox.int'),
  },
  {
    name: 'two relays publish the same messages',
    file: 'libs/eventing/src/outbox.store.ts',
    from: '  ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED`;',
    to: '  ORDER BY position LIMIT $1`;',
    tests: eventing('outbox.int'),
  },
  {
    name: 'a message is published without its id',
    file: 'libs/eventing/src/broker.ts',
    from: '{ msgID: id, headers: carried, timeout }',
    to: '{ headers: carried, timeout }',
    tests: eventing('outbox.int', 'consumers.int'),
  },
  {
    name: 'a message that waits is added twice',
    file: 'libs/eventing/src/outbox.store.ts',
    from: '  ON CONFLICT (id) DO NOTHING`;',
    to: '`;',
    tests: eventing('outbox.int'),
  },
  {
    name: 'the facts of a change are not added to the outbox',
    file: COMMANDS,
    from: '      await this.outbox.addAll(tx, outboxMessages(events.flatMap((event) => factsOf(identity, event))));\n',
    to: '',
    tests: of('ledger', 'lifecycle.int'),
  },
  {
    name: 'a report is changed without its lock',
    file: COMMANDS,
    from: 'const work = async (tx: Tx) => this.carryOut(tx, await lockReport(tx, reportId), command);',
    to: 'const work = async (tx: Tx) => this.carryOut(tx, await findReport(tx, reportId), command);',
    tests: of('ledger', 'lifecycle.int', 'registration.int'),
  },
  {
    name: 'a result of an earlier analysis counts',
    file: DECIDE,
    from: "slot?.state.phase !== 'analyzing' || slot.state.analysisId !== analysis.analysisId",
    to: "slot?.state.phase !== 'analyzing'",
    tests: of('ledger', 'domain/decide'),
  },
  {
    name: 'a fetch of an earlier attempt counts',
    file: DECIDE,
    from: "slot?.state.phase !== 'fetching' || slot.state.analysisId !== command.analysisId || !holdsAsset",
    to: "slot?.state.phase !== 'fetching' || !holdsAsset",
    tests: of('ledger', 'domain/decide', 'lifecycle.int'),
  },
  {
    name: 'content of an earlier revision counts',
    file: NOTED,
    from: '  if (content.analysisRevision !== report.revision?.revisionId) return [];\n',
    to: '',
    tests: of('ledger', 'domain/decide'),
  },
  {
    name: 'an older state of the publication replaces a newer one',
    file: NOTED,
    from: '  if (publication.version <= report.publication.version) return [];\n',
    to: '',
    tests: of('ledger', 'domain/decide'),
  },
  {
    name: 'a second revision has an id that is not later',
    file: DECIDE,
    from: 'report.revision ? idAfter(report.revision.revisionId, revisionId) : revisionId',
    to: 'revisionId',
    tests: of('ledger', 'domain/decide', 'domain/report.spec'),
  },
  {
    name: 'a reminder has the id of the first message',
    file: HANDOVER,
    from: ': endedMessage(identity, revision!, occasion, effects);',
    to: ': endedMessage(identity, revision!, FIRST_TIME, effects);',
    tests: of('ledger', 'domain/handover', 'reconciler.int'),
  },
  {
    name: 'work that is handed out again has the id of the first time',
    file: HANDOVER,
    from: 'return { event, id: `${analysisId}:analyze:${attempt}`, message };',
    to: 'return { event, id: `${analysisId}:analyze`, message };',
    tests: of('ledger', 'domain/handover', 'reconciler.int'),
  },
  {
    name: 'work without a result is never put back',
    file: 'apps/ledger/src/reconciler/reconciler.ts',
    from: 'private readonly batches = [() => this.putBackSlots(), () => this.remindOfReports()];',
    to: 'private readonly batches = [() => this.remindOfReports()];',
    tests: of('ledger', 'reconciler.int'),
  },
  {
    name: 'several reconcilers remind of the same reports',
    file: 'apps/ledger/src/reconciler/reconciler.store.ts',
    from: ' ORDER BY handover_at LIMIT $3 FOR UPDATE SKIP LOCKED`;',
    to: ' ORDER BY handover_at LIMIT $3`;',
    tests: of('ledger', 'reconciler.int'),
  },
  {
    name: 'work counts as handed out although the broker is away',
    file: 'apps/ledger/src/work/dispatcher.ts',
    from: '      if (error instanceof BrokerUnavailable) throw error;\n',
    to: '',
    tests: of('ledger', 'dispatcher.int', 'reconciler.int'),
  },
  {
    name: 'the answer of a creation is not recorded',
    file: CREATION,
    from: "return { kind: 'created', answer: idempotencyKey === null ? answer : await this.record(tx, order, idempotencyKey, report, answer) };",
    to: "return { kind: 'created', answer };",
    tests: of('ledger', 'creation.int'),
  },
  {
    name: 'two creations of one key run at once',
    file: CREATION,
    from: '      if (idempotencyKey !== null) await lockKey(tx, projectId, idempotencyKey);\n',
    to: '',
    tests: of('ledger', 'creation.int'),
  },
  {
    name: 'a removal ends although a service still has data',
    file: 'apps/ledger/src/removal/removal.service.ts',
    from: '    if (!(await this.removeElsewhere(identity, { shareTokenDigest: shareToken.digest, createdAt }))) return false;\n',
    to: '    await this.removeElsewhere(identity, { shareTokenDigest: shareToken.digest, createdAt });\n',
    tests: of('ledger', 'removal.int'),
  },
  {
    name: 'the result of a fetch is recorded and not announced',
    file: FETCH_RESULTS,
    from: 'await this.outbox.add(tx, EVENTS.imageFetched, imageFetched(work, await record(tx)));',
    to: 'imageFetched(work, await record(tx));',
    tests: of('assets', 'assets.int'),
  },
  {
    name: 'an image of a report that is being discarded is recorded',
    file: FETCH_RESULTS,
    from: '      if (!(await lockUnlessDiscarded(tx, work.reportId))) return;\n',
    to: '',
    tests: of('assets', 'discard.int', 'assets.int'),
  },
  {
    name: 'content that exists is not announced again',
    file: 'apps/content/src/revisions/content.service.ts',
    from: '      if (outcome) await this.outbox.add(tx, EVENTS.contentGenerated, contentGenerated(message, outcome, await this.verdict(tx, outcome)));\n',
    to: '',
    tests: of('content', 'content.int'),
  },
  {
    name: 'content of an older analysis is published over newer content',
    file: PUBLICATION,
    from: '  return timeOfId(analysisRevision).getTime() >= timeOfId(last.analysisRevision).getTime();',
    to: '  return true;',
    tests: of('share', 'domain/publication', 'publication.int'),
  },
  {
    name: 'a publication changes and the ledger is not told',
    file: 'apps/share/src/publication/publication.service.ts',
    from: '      if (change) await this.outbox.add(tx, EVENTS.publicationChanged, { ...change, actor: currentActor() });\n',
    to: '',
    tests: of('share', 'publication.int'),
  },
  {
    name: 'two processes send the same callback',
    file: CALLBACKS,
    from: 'UPDATE callbacks c SET claimed_until = $2, next_attempt_at = $2, attempt_count = attempt_count + 1',
    to: 'UPDATE callbacks c SET attempt_count = attempt_count + 1',
    tests: of('share', 'callback.int'),
  },
  {
    name: 'an attempt that outlived its claim schedules another one',
    file: CALLBACKS,
    from: "((c.attempt_count = g.number AND c.state = 'pending') OR g.state = 'delivered')",
    to: 'true',
    tests: of('share', 'callback.int', 'callback-killed.int'),
  },
  {
    name: 'a repeated fact queues a second callback',
    file: CALLBACKS,
    from: ' ON CONFLICT (report_id, analysis_revision, type) DO NOTHING RETURNING receiver`;',
    to: ' RETURNING receiver`;',
    tests: of('share', 'callback.int', 'publication.int'),
  },
];
