// First names and their short forms, folded. Names in one line may belong to one person. Short forms that are the start of
// the long form (Alex, Chris, Ben) need no line. A name may be in several lines.
const LINES = `
  abigail abby gail
  aleksandr alexander alexandra sasha sandy xander lex alejandro alessandro sandro
  andrew andy drew andreas andrei andrzej
  anthony tony antonio toni anton
  barbara babs bobbie basia
  benjamin benny benji
  catherine katherine kathryn katharina kate katie kathy cathy kat kitty kasia
  charles charlie chuck chas karl carl carlos
  christopher christina christian kit topher tina kris kristina krzysztof
  daniel danny daniela dani
  david dave davey
  deborah debbie debra
  donald donnie
  dorothy dottie dot dolly
  edward eddie ted teddy ned eduardo
  elizabeth elisabeth liz lizzie beth betty bess eliza libby lisa elsa lisbeth
  ernest ernie
  eugene gene evgeny yevgeny zhenya
  francis frances frank fran francisco paco pancho francesco franz
  frederick frederik freddy fritz friedrich
  gabriel gabriela gabby
  george georg jorge georgie yuri jurgen jerzy
  gerald gerard gerry jerry
  gregory greg grzegorz
  guillermo memo william bill billy will willy liam wilhelm willem
  harold harry hal
  henry hank harry heinrich enrique henrik hendrik henri
  isabella isabel bella izzy
  jacob jake jakob kuba
  james jim jimmy jamie jaime diego santiago
  janet jan jean jane janie
  jennifer jenny jen
  john jack johnny jon jonathan johan johannes hans ivan juan jean jan giovanni gianni ian sean vanya
  joseph joe joey jose pepe josef sepp giuseppe beppe youssef yusuf
  kenneth kenny
  laurence lawrence larry lorenzo lars
  leonard leonardo leo lenny
  louis lewis lou luis ludwig luigi
  margaret maggie meg peggy greta margarita rita gosia daisy
  maria mary marie molly polly mia mitzi
  martha patty marta
  matthew matt mateo matthias mats matias
  maximilian maxim max
  michael mike mick mickey micky miguel mikhail misha michele michal mikael michel
  mohammed muhammad mohamed mohammad mo mehmet
  natalia natalie natasha tasha
  nicholas nicolas nikolaus nick nicky klaus nikolai kolya niels nils
  patricia patrick pat patty trish tricia paddy
  paul pablo paolo pavel
  peter pete pedro pietro pierre piotr pyotr petra
  philip phil pip felipe filip philippe
  raymond ray ramon
  rebecca becky becca
  richard rick ricky dick rich ricardo riccardo
  robert rob bob bobby robbie bert roberto
  ronald ronnie
  samuel samantha sammy
  sarah sally sadie
  stephen steven steve stefan esteban etienne stephanie steph stefanie steffi
  susan suzanne sue suzy susie
  theodore ted teddy theo
  theresa teresa terry tess tessa
  thomas tom tommy tomas tomasz
  victoria vicky tori
  vladimir vova volodymyr
  walter wally walt
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));

const linesByName = new Map<string, Set<number>>();
LINES.forEach((names, line) => {
  for (const name of names) linesByName.set(name, (linesByName.get(name) ?? new Set<number>()).add(line));
});

/** Whether one person may use both folded first names. */
export function areVariants(a: string, b: string): boolean {
  const lines = linesByName.get(a);
  const others = linesByName.get(b);
  return lines !== undefined && others !== undefined && [...lines].some((line) => others.has(line));
}

/**
 * Returns one name for a folded first name and its short forms. A short form of several names is returned unchanged.
 */
export function canonicalFirstName(name: string): string {
  const [line, ...others] = linesByName.get(name) ?? [];
  return (others.length === 0 && line !== undefined && LINES[line]?.[0]) || name;
}
