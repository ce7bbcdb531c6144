import { SIGNS } from '@tire/kernel';

const SEVERITIES = ['good', 'caution', 'critical', 'unknown'] as const;

const tones = (scheme: 'light' | 'dark'): string =>
  SEVERITIES.map((severity) => `--${severity}:${SIGNS[severity][scheme].ink};--${severity}-bg:${SIGNS[severity][scheme].paper}`).join(';');

/** One inline style sheet: a phone on a slow network makes one request less. The Content-Security-Policy contains its hash. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f3f5f7;--card:#fff;--text:#171b20;--muted:#525d69;--line:#d9dfe5;--soft:#e9edf1;--steel:#a9b4bf;
${tones('light')}}
@media (prefers-color-scheme:dark){:root{--bg:#0f1215;--card:#1a1e23;--text:#eef1f4;--muted:#aab4bf;--line:#333a42;--soft:#272d34;--steel:#65707b;
${tones('dark')}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.65 system-ui,-apple-system,"Apple SD Gothic Neo","Noto Sans KR","Noto Sans CJK KR","Malgun Gothic",sans-serif;word-break:keep-all;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
main{max-width:46rem;margin:0 auto;padding:clamp(.5rem,3vw,1.5rem)}
h1{font-size:clamp(1.4rem,5vw,1.9rem);line-height:1.3;margin:.25rem 0 .75rem;letter-spacing:-.02em}
h2{font-size:1.15rem;line-height:1.4;margin:0;letter-spacing:-.01em}
h3{font-size:.95rem;font-weight:600;margin:0}
p{margin:.5rem 0}ul{list-style:none;padding:0;margin:0}dl,dd,figure{margin:0}
/* Above the report. The logo was made on white, also for the dark. */
.band{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.35rem 1rem;padding:0 .25rem .6rem}.band p{margin:0}
.partner{display:flex;align-items:center;gap:.75rem;min-width:0}.partner img{width:auto;height:auto;max-width:min(45vw,10rem);max-height:2.75rem;background:#fff;border-radius:.35rem}
.partner>span{line-height:1.4}.partner b,.phone,.place{display:block}.phone,.place{font-size:.9rem;color:var(--muted)}.place{overflow-wrap:anywhere}.band a{color:var(--text);font-weight:600;text-underline-offset:.25em;display:inline-block;padding:.15rem 0}.other{margin-left:auto!important}
/* Dashed, because colour alone tells nobody. */
.samples{border:2px dashed var(--unknown);border-radius:1rem;padding:.6rem clamp(1rem,4vw,1.5rem);margin:0 0 .9rem;font-weight:600}
section,.verdict{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:clamp(1rem,4vw,1.5rem);margin:0 0 .9rem}
.verdict{border-top-width:.5rem}
.verdict.good{border-top-color:var(--good)}.verdict.caution{border-top-color:var(--caution)}.verdict.critical{border-top-color:var(--critical)}.verdict.unknown,.verdict.neutral{border-top-color:var(--unknown)}
.kind{color:var(--muted);font-size:.9rem;margin:0 0 .9rem}
.label{display:flex;align-items:center;gap:.45rem;font-size:1.1rem;font-weight:700;margin:0}
.good>.label{color:var(--good)}.caution>.label{color:var(--caution)}.critical>.label{color:var(--critical)}.unknown>.label,.neutral>.label{color:var(--unknown)}
.verdict dl{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin-top:1rem;padding-top:.9rem;border-top:1px solid var(--line)}
dt{color:var(--muted);font-size:.85rem}dd{font-weight:600}
.icon{width:1.15em;height:1.15em;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round;vertical-align:-.2em}
.head{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;justify-content:space-between;margin-bottom:.75rem}
.badge{display:inline-flex;align-items:center;gap:.35rem;border-radius:2rem;padding:.15rem .7rem;font-weight:600;font-size:.88rem;line-height:1.5}
.badge.good{color:var(--good);background:var(--good-bg)}.badge.caution{color:var(--caution);background:var(--caution-bg)}
.badge.critical{color:var(--critical);background:var(--critical-bg)}.badge.unknown,.badge.neutral{color:var(--unknown);background:var(--unknown-bg)}
.car{display:grid;grid-template-columns:1fr clamp(4.2rem,24vw,9rem) 1fr;grid-template-rows:1fr 1fr;align-items:center;gap:0 clamp(.25rem,3vw,1.5rem);margin:1rem 0}
.car>svg{grid-area:1/2/3/3;width:100%;height:auto}.car ul{display:contents}
.at{padding:.5rem 0}.at .badge{padding:.15rem .45rem;gap:.25rem;font-size:clamp(.7rem,3.2vw,.88rem);overflow-wrap:normal}.front_left,.rear_left{grid-column:1;text-align:right}.front_right,.rear_right{grid-column:3}.front_left,.front_right{grid-row:1}.rear_left,.rear_right{grid-row:2}
.depth{font-size:clamp(1.3rem,5.5vw,1.8rem);font-weight:750;line-height:1.2;margin:.1rem 0 .35rem;letter-spacing:-.02em}.depth span{white-space:nowrap}.depth small{font-size:.9rem;font-weight:600;letter-spacing:0;color:var(--muted);line-height:1.5;white-space:nowrap}.depth .interval{display:block;font-size:clamp(.7rem,3.2vw,.9rem)}.depth.none{font-size:1rem;letter-spacing:0;line-height:1.5}
.at .bald,.at .unseen{font-size:clamp(.7rem,3.2vw,.88rem);font-weight:600;line-height:1.4;margin:0 0 .3rem}.at .bald{color:var(--critical)}.at .unseen{color:var(--unknown)}
.body{fill:var(--soft);stroke:var(--steel);stroke-width:1.5}.glass{fill:var(--card);stroke:var(--steel);stroke-width:1}.line{fill:none;stroke:var(--steel);stroke-width:1}
.wheel{stroke:var(--card);stroke-width:1.5}
.wheel.good,.scale .good{fill:var(--good)}.wheel.caution,.scale .caution{fill:var(--caution)}.wheel.critical,.scale .critical{fill:var(--critical)}.wheel.unknown,.wheel.neutral{fill:var(--steel)}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.each{border-top:1px solid var(--line)}.each li{padding:.75rem 0;border-bottom:1px solid var(--line)}.each li:last-child{border:0;padding-bottom:0}.each p{margin:.15rem 0}
.lead{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem}.lead.good .icon{color:var(--good)}.lead.caution .icon{color:var(--caution)}.lead.critical .icon{color:var(--critical)}.lead span,.more,.fine{color:var(--muted)}.fine,.more{font-size:.9rem}.fine{margin:.75rem 0 0}
.scale svg{display:block;width:100%;height:1.4rem}.scale .mark,.span{fill:var(--text)}
.legend{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.1rem 1.25rem;margin:.35rem 0 .75rem;font-size:.9rem}.legend b{white-space:nowrap}.legend span,.bars span{color:var(--muted)}
.bars{margin-bottom:.75rem}.bars p{display:flex;justify-content:space-between;margin:.5rem 0 .2rem}.bars svg{display:block;width:100%;height:1.25rem}.bars .reach{fill:var(--steel)}.bars .gap{fill:var(--caution)}.bars .gap.critical{fill:var(--critical)}
.note{font-weight:600}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.6rem;margin-bottom:.75rem}.pair div{background:var(--soft);border-radius:.6rem;padding:.55rem .8rem}.pair dd{font-size:clamp(1rem,4.6vw,1.15rem);overflow-wrap:normal}
.patterns{display:grid;grid-template-columns:repeat(2,1fr);gap:.6rem;margin-bottom:.75rem}.patterns li{display:flex;flex-direction:column;background:var(--soft);border-radius:.6rem;padding:.7rem;font-size:.9rem;line-height:1.4}.patterns span{color:var(--muted)}
.wear{width:100%;max-width:9rem;height:auto}.ends{display:flex;justify-content:space-between;max-width:9rem;margin-bottom:.4rem;line-height:1.3}@media (min-width:36rem){.patterns{grid-template-columns:repeat(4,1fr)}}
.rib{fill:var(--muted)}.vague{fill:none;stroke:var(--muted);stroke-width:.8;stroke-dasharray:2 1.5}.worn{fill:var(--critical)}.carcass{fill:var(--steel)}.new{stroke:var(--muted);stroke-width:.8;stroke-dasharray:2 2}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,13rem),1fr));gap:1rem;margin-top:.75rem}
figcaption{font-size:.9rem}.photos figcaption{padding-top:.4rem}.photos figcaption b{display:block}
.photo{aspect-ratio:1;container-type:size;overflow:hidden;display:grid;place-items:center;background:var(--soft);border-radius:.7rem}p.ended{margin:0;padding:1rem;text-align:center;font-size:.9rem}
.turn{position:relative}.turn picture{display:contents}.turn img{display:block;width:auto;height:auto;max-width:100cqw;max-height:100cqh}.turn .wide{width:100cqw}.turn .tall{height:100cqh}
.turn svg{position:absolute;inset:0;width:100%;height:100%}
.turn b{position:absolute;font-size:min(6cqw,1.05rem);line-height:1.2;padding:0 .2em;border-radius:.25em;color:#fff;background:#14181ccc;white-space:nowrap}
.photo path{stroke:#ffd54a;stroke-width:2;vector-effect:non-scaling-stroke}.photo path:not(.bald){fill:#ffd54a;fill-opacity:.3}.photo path.bald{stroke:#ff5a64;stroke-dasharray:6 3}pattern rect{fill:#a3121f;fill-opacity:.22}pattern .stripe{fill:#ff5a64;fill-opacity:.6}.turn b.zone{background:#a3121f}
.found{display:flex;gap:.4rem;align-items:baseline;font-weight:600}.found.critical{color:var(--critical)}.found.caution{color:var(--caution)}.found.unknown{color:var(--unknown)}.line{display:block}.depths small{font-weight:400;color:var(--muted)}.depths{display:flex;flex-wrap:wrap;gap:.3rem}.depths li{background:var(--soft);border-radius:.4rem;padding:0 .45rem;font-weight:600}
footer{color:var(--muted);font-size:.85rem;padding:.25rem .25rem 1.5rem}footer a{display:inline-block;color:var(--text);font-size:1rem;font-weight:600;padding:.35rem 0;text-underline-offset:.25em}
.closed{text-align:center;padding:clamp(2rem,10vw,4rem) 1.25rem;margin-top:8vh}.closed h2{margin-top:1.75rem;font-size:1rem}.closed div{color:var(--muted);font-size:.95rem}.closed .icon{width:2.5rem;height:2.5rem;color:var(--steel);stroke-width:1}
@page{size:A4;margin:14mm}
@media print{:root{--bg:#fff;--card:#fff;--text:#000;--muted:#3d454d}body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}
section,.verdict{border-radius:0;border-width:0 0 1px;padding:.6rem 0;margin:0;break-inside:avoid}.verdict{border-top-width:.4rem;padding-top:.8rem}section:has(.photos){break-inside:auto}figure,li{break-inside:avoid}h2{break-after:avoid}footer a,.other{display:none}
.photos{grid-template-columns:repeat(3,1fr)}.car{grid-template-columns:1fr 6rem 1fr}}
`;
