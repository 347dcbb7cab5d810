import { words } from './folding.ts';

export interface NameTable {
  readonly given: readonly string[];
  readonly family: readonly string[];
}

const table = (given: string, family: string): NameTable => ({ given: words(given), family: words(family) });

/** Common given and family names by culture. Both are combined at random, so no real person is meant. */
export const names: Readonly<Record<string, NameTable>> = {
  english: table(
    `Emma Olivia Charlotte Amelia Grace Hannah Lauren Megan Rachel Sarah Katie Laura Rebecca Claire Alice Holly
     Jessica Heather Erin Molly Abigail Audrey Naomi Paige Tessa James William Thomas Jack Henry Daniel Matthew
     Andrew Ryan Benjamin Samuel Joshua Adam Luke Nathan Ethan Owen Simon Peter Martin Stephen Colin Graham Derek`,
    `Smith Jones Taylor Brown Wilson Evans Walker Wright Green Hall Clarke Harris Cooper Ward Baker Turner Carter
     Mitchell Parker Collins Bennett Hughes Foster Reed Bailey Murphy Kelly Sullivan Byrne Doyle Campbell Stewart
     Fraser Hamilton Marshall Palmer Webster Holloway Thornton Whitaker Barlow Langley Pritchard Ellison Hadley`,
  ),
  hispanic: table(
    `María Lucía Carmen Sofía Elena Isabel Ana Marta Paula Valeria Gabriela Daniela Camila Rosa Pilar Inés Alba
     Jimena Ximena Noelia José Carlos Javier Miguel Alejandro Diego Pablo Sergio Andrés Fernando Ricardo Luis
     Eduardo Raúl Manuel Álvaro Hugo Iván Mateo Emilio`,
    `García Rodríguez Martínez López Hernández González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz Cruz
     Morales Reyes Ortiz Gutiérrez Chávez Ramos Ruiz Vargas Castillo Jiménez Navarro Molina Delgado Ibáñez Serrano
     Vidal Núñez Salazar Cárdenas`,
  ),
  african: table(
    `Amara Chioma Ngozi Adaeze Folake Imani Zuri Nia Aaliyah Keisha Ebony Thandi Abena Akua Efua Kofi Kwame Tunde
     Chidi Emeka Obinna Segun Malik Jamal Darius Andre Marcus Terrence Isaiah Elijah Sipho Yusuf Babatunde Ade`,
    `Okafor Adeyemi Okonkwo Balogun Eze Nwosu Mensah Owusu Boateng Asante Osei Abara Dlamini Nkosi Washington
     Jefferson Banks Booker Freeman Coleman Simmons Bryant Hayes Ellis Gaines Diallo Traoré Kamara Achebe Adebayo`,
  ),
  indian: table(
    `Priya Ananya Kavya Divya Neha Pooja Shreya Meera Aditi Ritu Sunita Lakshmi Nandini Isha Swati Deepika Rohan
     Arjun Vikram Rahul Amit Sanjay Rajesh Karthik Aditya Varun Nikhil Suresh Anil Manoj Siddharth Harish Gaurav
     Vivek Ashwin`,
    `Sharma Patel Gupta Reddy Nair Iyer Menon Rao Kumar Singh Verma Mehta Joshi Desai Kulkarni Chatterjee Banerjee
     Mukherjee Das Pillai Krishnan Agarwal Kapoor Malhotra Chopra Bhat Shetty Naidu Saxena Trivedi`,
  ),
  chinese: table(
    `Mei Li Xin Yan Jing Hui Ling Fang Qing Yue Xiu Lan Jun Wei Ming Hao Jie Feng Lei Bin Tao Cheng Kai Yi Zhen
     Hong Shan Rui Peng Bo Grace Kelvin Jasmine Vincent Vivian Raymond`,
    `Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo Lin He Gao Luo Tan Lim Ng Wong Chan Goh
     Teo Ong Cheung Tang`,
  ),
  german: table(
    `Anna Lena Julia Katharina Sabine Claudia Petra Franziska Johanna Miriam Greta Heike Ulrike Birgit Nina Svenja
     Lukas Jonas Felix Maximilian Sebastian Florian Stefan Andreas Michael Tobias Matthias Jürgen Uwe Holger Jan
     Philipp Dirk Kai Moritz`,
    `Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf
     Schröder Neumann Schwarz Zimmermann Braun Krüger Hartmann Lange Werner Krause Lehmann Köhler Maier Fuchs
     Scholz Vogel Brandt Winkler Keller Großmann`,
  ),
  french: table(
    `Camille Léa Manon Chloé Sophie Isabelle Nathalie Aurélie Céline Margaux Élodie Juliette Amandine Hélène
     Mathilde Antoine Julien Nicolas Pierre Guillaume Maxime Thibault François Olivier Laurent Étienne Mathieu
     Baptiste Romain Vincent Sébastien Cédric`,
    `Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Roux
     Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Mercier Blanc Guérin Boyer Garnier Chevalier Lemaire
     Perrin Gauthier Bélanger Tremblay Gagnon`,
  ),
  dutch: table(
    `Sanne Lotte Femke Anouk Marijke Ilse Eva Fleur Roos Maaike Esther Willemijn Daan Sven Bram Jeroen Pieter
     Maarten Wouter Ruben Thijs Joost Koen Niels Bas Sander`,
    `Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Kuipers Verhoeven
     Willems Hoekstra Koster Prins Postma Maas Veenstra Schouten Groen Vermeer`,
  ),
  nordic: table(
    `Astrid Ingrid Freja Sigrid Linnea Elin Maja Karin Ebba Johanna Annika Kerstin Erik Lars Johan Anders Henrik
     Gustav Oskar Mikael Björn Fredrik Magnus Nils Emil Viktor`,
    `Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Lindberg Lindström
     Bergström Sandberg Forsberg Sjöberg Ekström Holm Nyström Åkesson Wallin Engström`,
  ),
  polish: table(
    `Agnieszka Katarzyna Małgorzata Magdalena Joanna Zofia Hanna Aleksandra Natalia Ewa Karolina Monika Piotr
     Krzysztof Tomasz Paweł Michał Marcin Jakub Wojciech Łukasz Grzegorz Kamil Bartosz Mateusz Rafał`,
    `Nowak Wójcik Kowalczyk Kaczmarek Mazur Krawczyk Zając Król Wieczorek Wróbel Stępień Dudek Pawlak Sikora
     Walczak Baran Szewczyk Pietrzak Duda Adamczyk Górecki Malinowski Jankowski Zieliński`,
  ),
  turkish: table(
    `Elif Zeynep Ayşe Fatma Merve Esra Deniz Selin Derya Aylin Mehmet Mustafa Emre Murat Burak Cem Kerem Onur
     Hakan Serkan Kaan Tolga`,
    `Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Koç Kurt Özkan
     Şimşek Polat Erdoğan Güneş`,
  ),
  japanese: table(
    `Yuki Sakura Haruka Aoi Yui Misaki Ayumi Keiko Naoko Emi Rina Mayumi Haruto Sota Kenji Hiroshi Takashi Daiki
     Ryo Kazuki Shota Yuta Makoto Satoshi Naoki Kenta`,
    `Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto
     Inoue Kimura Hayashi Shimizu Saito Mori Ikeda Hashimoto Ogawa Fujita Okada`,
  ),
  brazilian: table(
    `Ana Beatriz Juliana Fernanda Larissa Mariana Letícia Camila Bruna Patrícia Renata Luciana João Pedro Lucas
     Gustavo Rafael Felipe Thiago Bruno Leonardo Rodrigo Marcelo Vinícius Caio Otávio`,
    `Silva Santos Oliveira Souza Pereira Lima Carvalho Ferreira Ribeiro Almeida Costa Gomes Martins Araújo Barbosa
     Rocha Dias Nascimento Moreira Cardoso Teixeira Correia Azevedo Monteiro`,
  ),
};
