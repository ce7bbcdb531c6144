import { Injectable } from '@nestjs/common';
import { Places, type Asker, type Manner } from '../domain/places';

type Leave = (manner: Manner) => void;

interface Waiting extends Asker {
  readonly enter: () => void;
}

/** The places of this process, waited for. */
@Injectable()
export class FetchPlaces {
  private readonly places = new Places<Waiting>();

  /** Undefined: neither a place nor room to wait for one. What is waited for fails when the signal says so. */
  async enter({ projectId, host }: Asker, signal: AbortSignal): Promise<Leave | undefined> {
    let enter: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const asker: Waiting = { projectId, host, enter };
    const answer = this.places.ask(asker);
    if (answer === 'come again') return undefined;
    if (answer === 'wait') await this.wait(asker, entered, signal);
    return (manner) => this.places.leave(asker, manner).forEach((next) => next.enter());
  }

  private wait(asker: Waiting, entered: Promise<void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.places.waitNoMore(asker);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', stop, { once: true });
      void entered.then(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }
}
