import { rows, words } from './folding.ts';

/** The specification's seniorities of the employee search, highest first. */
export const SENIORITIES: readonly string[] = [
  'C-Suite',
  'VP',
  'Director',
  'Manager',
  'Senior',
  'Staff',
  'Intern',
];

/** Each row is a department. Each cell is a seniority, in the order above, with titles separated by commas. */
const TITLES = `
Engineering|Chief Technology Officer, Chief Information Officer, Chief Information Security Officer|VP of Engineering, VP of Infrastructure|Director of Engineering, Director of IT|Engineering Manager, IT Manager, QA Manager|Senior Software Engineer, Senior Data Engineer, Senior Systems Engineer|Software Engineer, Data Engineer, Systems Administrator, Test Engineer|Engineering Intern
Sales|Chief Revenue Officer, Chief Commercial Officer|VP of Sales, VP of Business Development|Sales Director, Director of Business Development|Sales Manager, Regional Sales Manager|Senior Account Executive, Senior Business Development Manager|Account Executive, Sales Development Representative, Business Development Associate|Sales Intern
Marketing|Chief Marketing Officer|VP of Marketing, VP of Communications|Marketing Director, Director of Demand Generation|Marketing Manager, Content Manager, Brand Manager|Senior Marketing Specialist, Senior Content Strategist|Marketing Specialist, Copywriter, Marketing Coordinator|Marketing Intern
Operations|Chief Executive Officer, Chief Operating Officer|VP of Operations, VP of Supply Chain|Director of Operations, Procurement Director|Operations Manager, Office Manager, Logistics Manager|Senior Operations Analyst, Senior Project Manager|Operations Associate, Project Coordinator, Buyer|Operations Intern
Human Resources|Chief People Officer|VP of People|HR Director, Director of Talent|HR Manager, Talent Acquisition Manager|Senior Recruiter, Senior HR Business Partner|Recruiter, HR Generalist, Payroll Specialist|HR Intern
Finance|Chief Financial Officer|VP of Finance|Finance Director, Director of Accounting|Finance Manager, Accounting Manager, Controller|Senior Financial Analyst, Senior Accountant|Accountant, Financial Analyst, Accounts Payable Clerk|Finance Intern
Customer Success|Chief Customer Officer|VP of Customer Success|Director of Customer Success, Director of Support|Customer Success Manager, Support Manager|Senior Customer Success Specialist, Senior Support Engineer|Customer Success Specialist, Support Agent, Onboarding Specialist|Customer Success Intern
Product|Chief Product Officer|VP of Product|Product Director, Director of Design|Product Manager, Design Manager|Senior Product Manager, Senior Product Designer|Product Analyst, Product Designer, UX Researcher|Product Intern
`;

const SKILLS: Readonly<Record<string, readonly string[]>> = {
  Engineering: words('Python TypeScript Kubernetes SQL Java Terraform Go Linux security observability'),
  Sales: words('negotiation prospecting forecasting enterprise SaaS partnerships CRM territory outbound'),
  Marketing: words('SEO branding analytics copywriting events advertising social storytelling email'),
  Operations: words('procurement logistics lean planning compliance vendor-management process inventory'),
  'Human Resources': words('recruiting onboarding compensation payroll coaching benefits culture diversity'),
  Finance: words('accounting budgeting audit tax modelling treasury IFRS reporting controlling'),
  'Customer Success': words('onboarding retention support renewals training escalation adoption surveys'),
  Product: words('roadmaps discovery prototyping research analytics usability pricing experimentation'),
};

const tableRows = rows(TITLES);

/** Titles of a department at a seniority. Both must be among the options above. */
export function titlesOf(department: string, seniority: string): readonly string[] {
  const row = tableRows.find(([name]) => name === department) ?? [];
  const column = 1 + SENIORITIES.indexOf(seniority);
  return (row[column] ?? '').split(', ');
}

export function skillsOf(department: string): readonly string[] {
  return SKILLS[department] ?? [];
}

/** The specification's departments of `role_count.*` and `open_roles_count.*`. */
export const ROLES = ['business_development', 'engineer', 'it', 'marketing', 'sales'] as const;
