import type { CreatedVehicleLink, VehicleLink, VehicleLinkList, VehiclePassport } from '@tire/contracts/console';
import { Anchor, Badge, Button, Checkbox, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Facts, Loaded, Row, Rows } from '../../ui/listing';
import { QrCode } from '../../ui/qr-code';
import { Secret } from '../../ui/secret';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';
import { ShareSheet } from '../customers/send';

const COLORS: Readonly<Record<VehicleLink['status'], string>> = { active: 'green', revoked: 'red', expired: 'orange' };

/** Links to the public page of the vehicle. An address is shown once, when its link is made. */
export function PassportLinks({ passport: { vehicle_id: vehicleId } }: { readonly passport: VehiclePassport }) {
  const { vehicleLinks: t } = useTexts();
  const { project, place } = useProject();
  const queries = useQueryClient();
  const path = `/projects/${project.project_id}/vehicles/${vehicleId}/links`;
  const key = ['project', project.project_id, 'vehicle-links', vehicleId];
  const query = useQuery({ queryKey: key, queryFn: () => call<VehicleLinkList>('GET', path) });
  const changed = () => queries.invalidateQueries({ queryKey: key });
  const [asked, setAsked] = useState<'new' | VehicleLink | null>(null);
  const [showsPlate, setShowsPlate] = useState(false);
  const [made, setMade] = useState<CreatedVehicleLink | null>(null);
  const mayChange = place.can('reports.publish');
  const close = () => setAsked(null);
  const create = async () => {
    setMade(await call<CreatedVehicleLink>('POST', path, { shows_plate: showsPlate }));
    await changed();
  };
  const revoke = (link: VehicleLink) => async () => {
    await call<VehicleLink>('DELETE', `${path}/${link.link_id}`);
    if (made?.link_id === link.link_id) setMade(null);
    await changed();
  };
  return (
    <>
      <div role="status">{made && <Made made={made} />}</div>
      {mayChange && (
        <Button size="xs" variant="default" mb="md" onClick={() => setAsked('new')}>
          {t.create}
        </Button>
      )}
      <Loaded query={query}>{({ links }) => <Links links={links} onRevoke={mayChange ? setAsked : null} />}</Loaded>
      {asked === 'new' && (
        <Confirm
          title={t.createTitle}
          text={t.createText}
          submit={t.create}
          danger={false}
          messages={{ conflict: t.tooMany }}
          action={create}
          onClose={close}
        >
          <Checkbox label={t.showsPlate} checked={showsPlate} onChange={({ currentTarget }) => setShowsPlate(currentTarget.checked)} />
        </Confirm>
      )}
      {asked !== null && asked !== 'new' && (
        <Confirm title={t.revokeTitle} text={t.revokeText} submit={t.revoke} action={revoke(asked)} onClose={close} />
      )}
    </>
  );
}

function Links({ links, onRevoke }: { readonly links: readonly VehicleLink[]; readonly onRevoke: ((link: VehicleLink) => void) | null }) {
  const { vehicleLinks: t } = useTexts();
  if (links.length === 0) return <Text size="sm">{t.none}</Text>;
  return (
    <Rows label={t.title}>
      {links.map((link) => (
        <Row
          key={link.link_id}
          actions={
            onRevoke && link.status === 'active' ? (
              <Button size="xs" variant="default" onClick={() => onRevoke(link)}>
                {t.revoke}
              </Button>
            ) : null
          }
        >
          <LinkFacts link={link} />
        </Row>
      ))}
    </Rows>
  );
}

function Made({ made: { url } }: { readonly made: CreatedVehicleLink }) {
  const t = useTexts();
  return (
    <div className="share">
      <div className="share-words">
        <Text size="sm">{t.vehicleLinks.once}</Text>
        <Secret label={t.vehicleLinks.address} value={url} />
        <div className="slot-actions">
          <ShareSheet url={url} />
          <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
            {t.share.open}
          </Anchor>
          <Anchor href={`${url}.pdf`} target="_blank" rel="noreferrer" size="sm">
            {t.worklist.pdf}
          </Anchor>
        </div>
      </div>
      <QrCode text={url} label={t.share.qr} />
    </div>
  );
}

function LinkFacts({ link }: { readonly link: VehicleLink }) {
  const { vehicleLinks: t, share } = useTexts();
  return (
    <>
      <div className="row-name">
        <Badge variant="light" color={COLORS[link.status]}>
          {share.states[link.status]}
        </Badge>
        <Text size="sm">{link.shows_plate ? t.plateShown : t.plateMasked}</Text>
      </div>
      <Facts>
        <span>
          {share.issued} <Timestamp at={link.created_at} />
        </span>
        {link.created_by && <bdi>{visibleText(link.created_by.name)}</bdi>}
        {link.revoked_at === null ? (
          <span>
            {link.status === 'expired' ? share.expired : share.expires} <Timestamp at={link.expires_at} />
          </span>
        ) : (
          <span>
            {share.revokedAt} <Timestamp at={link.revoked_at} />
          </span>
        )}
      </Facts>
    </>
  );
}
